import type { AssistantConfig } from '../api-types.js';
import type { BrowserHost } from './browser-host.js';
import { openMemory, type Remembered } from './storage.js';
import { claimsOf } from './token-claims.js';

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
const patienceMs = 10_000;
/** The shortest pause between two questions to the page. It doubles each time, up to the longest pause. */
const shortestPause = 10_000;
const longestPause = 300_000;
/** How often a refused token may be replaced at once, in ms, whenever the page was last asked. */
const hurryMs = 60_000;
/** The longest timer of a browser, in ms. */
const longestTimer = 2 ** 31 - 1;

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
  let { userToken: token, getUserToken } = given;
  let remembered: Remembered = memory.read() ?? { subject: '' };
  /** True until the page has said who the person is. */
  let unasked = !token && !!getUserToken;
  let renewing: Promise<boolean> | undefined;
  /** Ends the latest renewal for all who wait for it. */
  let settle: (isAnswered: boolean | Promise<boolean>) => void = () => undefined;
  /** The number of questions to the page, and the latest one that it has answered. */
  let asked = 0;
  let answeredLast = 0;
  let mayAskAt = -Infinity;
  let mayHurryAt = -Infinity;
  let pause = shortestPause;
  /** The time at which to renew the token. */
  let due = Infinity;
  let isRefused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
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
    due = host.elapsed() + lifetime - Math.min(renewBefore, lifetime / 2);
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
    plan();
    return isOther;
  }

  /** Schedules the renewal of the token: at its time or, if that has passed, as soon as the page may be asked again. */
  function plan(): void {
    clearTimeout(timer);
    if (!token || !getUserToken) return;
    const wait = Math.max(due, mayAskAt) - host.elapsed();
    if (wait < longestTimer) timer = setTimeout(() => void renew(), Math.max(wait, 1000));
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

  /**
   * Asks the page for a user token and resolves to true when it answered. All requests wait for the answer, but at most
   * ten seconds: until the page answers, the person is a visitor or keeps a token that is still valid. The page is not
   * asked again before a pause has passed. `isUrgent`: a token was refused.
   */
  function renew(isUrgent = false): Promise<boolean> {
    const ask = getUserToken;
    const now = host.elapsed();
    const mayHurry = isUrgent && !renewing && now >= mayHurryAt;
    if (!ask || (now < mayAskAt && !mayHurry)) {
      plan();
      return renewing ?? Promise.resolve(false);
    }
    if (isUrgent) mayHurryAt = now + hurryMs;
    pause = now - mayAskAt < pause ? Math.min(2 * pause, longestPause) : shortestPause;
    mayAskAt = now + pause;
    plan();
    const turn = (asked += 1);
    // Requests that wait for a replaced function now wait for this one.
    settle(
      (renewing = new Promise((resolve) => {
        settle = resolve;
        const take = (act: () => void, isAnswer = false) => {
          // Ignore the answer of a replaced function or a removed widget, and one that a newer answer has overtaken.
          if (ask !== getUserToken || turn < answeredLast) return;
          answeredLast = turn;
          if (turn === asked) {
            clearTimeout(patience);
            renewing = undefined;
          }
          resolve(isAnswer);
          act();
        };
        patience = setTimeout(() => {
          lost('getUserToken did not answer within ten seconds.');
          if (unasked) become();
          resolve(false);
        }, patienceMs);
        void (async () => ask())().then(
          (fresh) =>
            take(() => {
              if (typeof (fresh ?? '') !== 'string') {
                lost('getUserToken must return a text or null.');
                fresh = '';
              }
              // The page has no other token.
              if (isRefused && fresh === token) giveUp();
              else become(fresh || undefined);
            }, true),
          (error: unknown) => take(() => lost(String(error))),
        );
      })),
    );
    return renewing;
  }

  /** Drops an invalid token. Its person may come back. */
  function giveUp(): void {
    if (token !== remembered.userToken) lost('The user token was refused. A visitor asks now.');
    become(undefined, false, remembered.subject);
  }

  function noticeOtherTab(): void {
    const found = memory.read() ?? { subject: '' };
    const isHosted = getUserToken || token !== remembered.userToken;
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
      if (unasked || host.elapsed() >= due) await renew();
      const visitorToken = token ? undefined : remembered.visitorToken;
      return { apiKey, userToken: token, visitorToken };
    },
    async recover(refused) {
      const { userToken } = refused;
      if (userToken !== token) return true;
      if (userToken) {
        isRefused = true;
        due = -Infinity;
        if (!getUserToken) giveUp();
        else if (!(await renew(true))) return false;
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
      if (getUserToken !== next.getUserToken) {
        ({ getUserToken } = next);
        clearTimeout(patience);
        renewing = undefined;
        mayAskAt = -Infinity;
      }
      if (isOther) become(next.userToken);
      else plan();
      if (!token) {
        // The page may know another person now.
        if (!renewing) mayAskAt = -Infinity;
        void renew();
      }
      if (!renewing) settle(false);
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
      clearTimeout(timer);
      clearTimeout(patience);
      getUserToken = undefined;
    },
  };
}
