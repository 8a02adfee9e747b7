import type { AssistantConfig } from '../api-types.js';
import type { BrowserHost } from './browser-host.js';
import { createRenewal } from './token-renewal.js';
import { openMemory, type Remembered } from './storage.js';

export interface Credentials {
  apiKey: string | undefined;
  userToken: string | undefined;
  visitorToken: string | undefined;
}

/** The person who uses the widget, as known from the page, its backend and this browser's storage. */
export interface Identity {
  /** The credentials to send now. Asks for a fresh user token when the present one is about to expire. */
  credentials(): Promise<Credentials>;
  /**
   * Call this after the service refused these credentials: renews or drops invalid ones. Resolves to true when the
   * request should be tried again.
   */
  recover(refused: Credentials): Promise<boolean>;
  /**
   * Stores a visitor token. `isNew`: the request had sent none. Returns false when another tab or request has stored
   * another visitor meanwhile: that visitor stays, and the caller must ask again.
   */
  keepVisitor(token: unknown, isNew: boolean): boolean;
  isSignedIn(): boolean;
  /** The subject of the user token; empty for a visitor. */
  subject(): string;
  /** True when the service may have stored something about this person. */
  isKnown(): boolean;
  signIn(userToken: string): void;
  signOut: () => void;
  /** The page has changed the person, or the way to ask for one. */
  update(given: IdentityOptions): void;
  conversationId(): string | undefined;
  keepConversation(id: string | undefined): void;
  /** True when the person has signed in and no conversation was shown or begun since. */
  isNewHere(): boolean;
  /** The conversation that was shown before the person signed in, and the visitor token that opens it. */
  earlier(): [id: string | undefined, visitorToken: string | undefined];
  forgetEarlier(): void;
  end(): void;
}

export interface IdentityOptions {
  userToken: string | undefined;
  getUserToken: AssistantConfig['getUserToken'];
}

/** How long before its end a user token is renewed, in ms. A token of less than two minutes: at half time. */
const renewBefore = 60_000;

/**
 * Manages the person who uses the widget and their credentials. `changed` is called for new credentials. Its first
 * argument is true for another person: then everything shown must go. Its second argument is the subject of a token
 * that became invalid: that person may come back. `lost` receives the reason when the person whom the page named could
 * not be identified. Stored data belongs to one subject and is deleted as soon as another one comes.
 */
export function openIdentity(
  host: BrowserHost,
  apiKey: string | undefined,
  place: string,
  given: IdentityOptions,
  changed: (isOther: boolean, lostSubject?: string) => void,
  lost: (why: string) => void,
): Identity {
  const memory = openMemory(host, apiKey ?? place);
  let token = given.userToken;
  let remembered: Remembered = memory.read() ?? { subject: '' };
  /** True until the page has said who the person is. */
  let unasked = !token && !!given.getUserToken;
  let isRefused = false;
  const renewal = createRenewal(host, given.getUserToken, {
    onToken(fresh) {
      // The page has no other token.
      if (isRefused && fresh === token) giveUp();
      else become(fresh);
    },
    onSilence() {
      if (unasked) become();
    },
    onFault: lost,
  });
  const unwatch = memory.watch(noticeOtherTab);
  if (!unasked) {
    receive(token ?? remembered.userToken);
    adopt();
  }

  function save(): void {
    memory.write(Object.values(remembered).some(Boolean) ? remembered : undefined);
  }

  /** How long a token holds is counted from its receipt: the visitor's clock may be hours off. */
  function receive(next: string | undefined): void {
    token = next;
    isRefused = false;
    const { lifetime } = claimsOf(next ?? '');
    renewal.renewAt(host.elapsed() + lifetime - Math.min(renewBefore, lifetime / 2));
  }

  /** Makes the remembered data belong to the present person. Returns true when that is another person. */
  function adopt(): boolean {
    const subject = token ? claimsOf(token).subject : '';
    const isOther = subject !== remembered.subject;
    if (isOther) {
      const { visitorToken: earlierVisitor, conversationId: earlierConversation } = remembered;
      // A person who signs in is offered the conversation that they began as a visitor.
      const hasEarlier = subject && earlierVisitor && earlierConversation;
      remembered = { subject, ...(hasEarlier && { earlierVisitor, earlierConversation }) };
      save();
    }
    return isOther;
  }

  function become(next?: string, own = false, lostSubject?: string): void {
    if (next === token && !unasked) return;
    const first = unasked;
    unasked = false;
    receive(next);
    const isOther = adopt();
    if (own || remembered.userToken) {
      remembered = { ...remembered, userToken: own ? next : undefined };
      save();
    }
    // Before the first answer of the page, nobody's data was shown.
    if (!first) changed(isOther, lostSubject);
  }

  /** Drops an invalid token. Its person may come back. */
  function giveUp(): void {
    if (token !== remembered.userToken) lost('The user token was refused. A visitor asks now.');
    become(undefined, false, remembered.subject);
  }

  function noticeOtherTab(): void {
    const found = memory.read() ?? { subject: '' };
    const isHosted = given.getUserToken || token !== remembered.userToken;
    if (found.subject === remembered.subject) {
      const { conversationId, visitorToken } = remembered;
      remembered = { visitorToken, ...found, conversationId };
      if (!isHosted) token = found.userToken;
      // This tab takes over a sign-in by the widget's form, but not a person whom the page has
      // named in another tab.
    } else if (!isHosted && (!found.subject || found.userToken)) {
      remembered = { ...found, conversationId: undefined };
      token = found.userToken;
      changed(true);
    }
  }

  return {
    async credentials() {
      if (unasked || renewal.isDue()) await renewal.renew();
      const visitorToken = token ? undefined : remembered.visitorToken;
      return { apiKey, userToken: token, visitorToken };
    },
    async recover(refused) {
      const { userToken } = refused;
      if (userToken !== token) return true;
      if (userToken) {
        isRefused = true;
        if (!given.getUserToken) giveUp();
        else if (!(await renewal.renew(true))) return false;
        return token !== userToken && !!(token ?? apiKey);
      }
      if (!refused.visitorToken) return false;
      if (remembered.visitorToken === refused.visitorToken) {
        // The person is the same: the shown conversation may stay, but can't be continued.
        remembered = { subject: '' };
        save();
        changed(false);
      }
      return true;
    },
    keepVisitor(fresh, isNew) {
      if (token || typeof fresh !== 'string') return true;
      const other = memory.read();
      const elsewhere = other?.subject === '' ? other.visitorToken : undefined;
      const kept = isNew ? (remembered.visitorToken ?? elsewhere) : undefined;
      remembered = { ...remembered, visitorToken: kept ?? fresh };
      save();
      return !kept;
    },
    isSignedIn: () => !!token && token === remembered.userToken,
    subject: () => remembered.subject,
    isKnown: () => unasked || !!(token ?? remembered.visitorToken),
    signIn: (own) => become(own, true),
    signOut: () => become(),
    update(next) {
      const isOther = next.userToken !== given.userToken;
      given = next;
      renewal.askBy(next.getUserToken);
      if (isOther) become(next.userToken);
      renewal.refresh(!token);
    },
    conversationId: () => remembered.conversationId || undefined,
    isNewHere: () =>
      !!remembered.subject &&
      (remembered.conversationId ?? remembered.earlierConversation) === undefined,
    keepConversation(conversationId = '') {
      remembered = { ...remembered, conversationId };
      save();
    },
    earlier: () => [remembered.earlierConversation, remembered.earlierVisitor],
    forgetEarlier() {
      delete remembered.earlierVisitor;
      delete remembered.earlierConversation;
      save();
    },
    end() {
      unwatch();
      renewal.askBy(undefined);
    },
  };
}

/** Reads a user token's subject, and its lifetime from its issue in ms. Proves nothing. */
export function claimsOf(token: string): { subject: string; lifetime: number } {
  try {
    const part = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/');
    const { sub, exp, iat } = JSON.parse(atob(part)) as Record<string, unknown>;
    const lifetime = (Number(exp) - Number(iat)) * 1000 || Infinity;
    // An unreadable token is a subject of its own, so that nobody sees the data of another.
    return { subject: typeof sub === 'string' && sub ? sub : token, lifetime };
  } catch {
    return { subject: token, lifetime: Infinity };
  }
}
