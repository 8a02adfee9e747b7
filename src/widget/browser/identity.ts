import type { AssistantConfig } from './api-types.js';
import type { BrowserHost } from './browser-host.js';
import { openMemory, type Remembered } from './storage.js';
import { claimsOf } from './token-claims.js';

export interface Credentials {
  apiKey: string | undefined;
  userToken: string | undefined;
  visitorToken: string | undefined;
}

/** Who uses the widget, as the page, its backend and this browser's memory have it. */
export interface Identity {
  /** What to show the service now; asks for a fresh user token where the present one is about to expire. */
  credentials(): Promise<Credentials>;
  /** After these were refused: renews or drops what does not hold. Resolves to whether to try again. */
  recover(refused: Credentials): Promise<boolean>;
  /**
   * With `isNew`, whoever got this token had shown none. False where another visitor was kept meanwhile, by another
   * tab or request: that one stays, and who got this token is to come again.
   */
  keepVisitor(token: unknown, isNew: boolean): boolean;
  isSignedIn(): boolean;
  /** Of the user token; empty for a visitor. */
  subject(): string;
  /** Somebody of whom the service may have kept something. */
  isKnown(): boolean;
  signIn(userToken: string): void;
  signOut(): void;
  /** The page has changed who it is, or how it is asked. */
  update(given: IdentityOptions): void;
  conversationId(): string | undefined;
  keepConversation(id: string | undefined): void;
  end(): void;
}

export interface IdentityOptions {
  userToken: string | undefined;
  getUserToken: AssistantConfig['getUserToken'];
}

/** How long before its end a user token is renewed, ms. */
const renewBefore = 60_000;
const patienceMs = 10_000;
/** The most that a timer of a browser can wait. */
const longestTimer = 2 ** 31 - 1;

/**
 * `changed` is called when there are new credentials; with `true`, they are somebody else's: whatever is shown is to
 * go. Whose token did not hold any more may come back: then their subject is told as well. `lost` is told why whom the page has named is not known to be there. Nobody but its own subject is given what is remembered: it is forgotten as soon as another one comes.
 */
export function openIdentity(
  host: BrowserHost,
  apiKey: string | undefined,
  place: string,
  given: IdentityOptions,
  changed: (isOther: boolean, lostSubject?: string) => void,
  lost: (why: string) => void = () => undefined,
): Identity {
  const memory = openMemory(host, apiKey ?? place);
  let { userToken: token, getUserToken } = given;
  let remembered: Remembered = memory.read() ?? { subject: '' };
  /** Whether the page has yet to say who there is. */
  let unasked = token === undefined && getUserToken !== undefined;
  let renewing: Promise<boolean> | undefined;
  /** How often the page was asked, and the latest of these that it has answered. */
  let asked = 0;
  let answeredLast = 0;
  /** When it was waited for in vain. */
  let gaveUpAt = Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  const subjectOf = (one: string | undefined) => (one === undefined ? '' : claimsOf(one).subject);
  const unwatch = memory.watch(noticeOtherTab);
  if (!unasked) {
    token ??= remembered.userToken;
    settle();
  }

  function save(): void {
    memory.write(Object.values(remembered).some(Boolean) ? remembered : undefined);
  }

  /** Makes what is remembered that of whoever there is now; true where that is somebody else. */
  function settle(): boolean {
    const subject = subjectOf(token);
    const isOther = subject !== remembered.subject;
    if (isOther) {
      remembered = { subject };
      save();
    }
    clearTimeout(timer);
    if (token !== undefined && getUserToken !== undefined) {
      const wait = claimsOf(token).expires - host.now() - renewBefore;
      const delay = Math.min(Math.max(wait, patienceMs), longestTimer);
      if (wait < longestTimer) timer = setTimeout(() => void renew(), delay);
    }
    return isOther;
  }

  function become(next: string | undefined, own = false, lostSubject?: string): void {
    if (next === token && !unasked) return;
    const first = unasked;
    unasked = false;
    token = next;
    const isOther = settle();
    if (own || remembered.userToken !== undefined) {
      remembered = { ...remembered, userToken: own ? next : undefined };
      save();
    }
    // Asked for the first time, nothing was shown of anybody yet.
    if (!first) changed(isOther, lostSubject);
  }

  /**
   * Asks the page; resolves to whether it answered. All requests wait for it, but not for ever: whom the page does not
   * name in time is a visitor, or keeps a token for as long as it holds, until the page's answer comes after all. In the
   * time after that nobody waits again; then whoever needs a token asks afresh.
   */
  function renew(): Promise<boolean> {
    const ask = getUserToken;
    const isDue = renewing === undefined || host.now() - gaveUpAt >= patienceMs;
    if (ask === undefined || !isDue) return renewing ?? Promise.resolve(false);
    gaveUpAt = Infinity;
    const turn = (asked += 1);
    const take = (act: () => void, isAnswer: boolean) => {
      // Of a function that the page has replaced since, or of a widget that is gone; or there is a newer one.
      if (ask !== getUserToken || turn < answeredLast) return false;
      answeredLast = turn;
      if (turn === asked) {
        clearTimeout(patience);
        renewing = undefined;
      }
      act();
      return isAnswer;
    };
    const answered = (async () => ask())().then(
      (fresh) =>
        take(() => {
          if (typeof (fresh ?? '') !== 'string')
            lost('getUserToken gave what is neither a text nor null.');
          become(typeof fresh === 'string' && fresh !== '' ? fresh : undefined);
        }, true),
      (error: unknown) => take(() => lost(String(error)), false),
    );
    const late = new Promise<boolean>((resolve) => {
      patience = setTimeout(() => {
        gaveUpAt = host.now();
        lost('getUserToken did not answer within ten seconds.');
        if (unasked) become(undefined);
        resolve(false);
      }, patienceMs);
    });
    return (renewing = Promise.race([answered, late]));
  }

  function noticeOtherTab(): void {
    const found = memory.read() ?? { subject: '' };
    const isHosted = getUserToken !== undefined || token !== remembered.userToken;
    if (found.subject === remembered.subject) {
      const { conversationId, visitorToken } = remembered;
      remembered = { visitorToken, ...found, conversationId };
      if (!isHosted) token = found.userToken;
    } else if (!isHosted) {
      remembered = { ...found, conversationId: undefined };
      token = found.userToken;
      changed(true);
    }
  }

  return {
    async credentials() {
      const isEnding = token !== undefined && claimsOf(token).expires - host.now() < renewBefore;
      if (unasked || isEnding) await renew();
      const visitorToken = token === undefined ? remembered.visitorToken : undefined;
      return { apiKey, userToken: token, visitorToken };
    },
    async recover(refused) {
      const { userToken } = refused;
      if (userToken !== token) return true;
      if (userToken !== undefined) {
        if (getUserToken !== undefined && !(await renew())) return false;
        // No other one is to be had.
        if (userToken === token) {
          if (userToken !== remembered.userToken)
            lost('The user token is not valid, or has expired: whoever asks is a visitor now.');
          become(undefined, false, remembered.subject);
        }
        return token !== userToken && (token ?? apiKey) !== undefined;
      }
      if (refused.visitorToken === undefined) return false;
      if (remembered.visitorToken === refused.visitorToken) {
        // Still the same person: what is shown may stay, but can't be gone on with.
        remembered = { subject: '' };
        save();
        changed(false);
      }
      return true;
    },
    keepVisitor(fresh, isNew) {
      if (token !== undefined || typeof fresh !== 'string') return true;
      const other = memory.read();
      const elsewhere = other?.subject === '' ? other.visitorToken : undefined;
      const kept = isNew ? (remembered.visitorToken ?? elsewhere) : undefined;
      remembered = { ...remembered, visitorToken: kept ?? fresh };
      save();
      return kept === undefined;
    },
    isSignedIn: () => token !== undefined && token === remembered.userToken,
    subject: () => remembered.subject,
    isKnown: () => unasked || token !== undefined || remembered.visitorToken !== undefined,
    signIn: (own) => become(own, true),
    signOut: () => become(undefined),
    update(next) {
      const isOther = next.userToken !== given.userToken;
      given = next;
      if (getUserToken !== next.getUserToken) {
        ({ getUserToken } = next);
        clearTimeout(patience);
        renewing = undefined;
      }
      if (isOther) become(next.userToken);
      else settle();
      if (token === undefined) void renew();
    },
    conversationId: () => remembered.conversationId,
    keepConversation(conversationId) {
      remembered = { ...remembered, conversationId };
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
