import type { AssistantConfig } from '../api-types.js';
import type { BrowserHost } from './browser-host.js';

/** How the page is asked for user tokens: in time, seldom, and without waiting for ever. */
export interface TokenRenewal {
  /**
   * Asks the page and resolves to true when it answered. All who call it meanwhile wait for the same answer, but at most
   * ten seconds. The page is not asked again before a pause has passed. `isUrgent`: the token was refused.
   */
  renew(isUrgent?: boolean): Promise<boolean> | boolean;
  /** Renews the token at this time (BrowserHost.elapsed; Infinity: never), or as soon as the page may be asked again. */
  renewAt(due: number): void;
  isDue(): boolean;
  /** The page has replaced its function; undefined ends the renewals. */
  askBy(ask: AssistantConfig['getUserToken']): void;
  /** The page has told something new about the person. `isUnknown`: so it may know who they are, and is asked at once. */
  refresh(isUnknown: boolean): void;
}

export interface RenewalEvents {
  onToken: (token: string | undefined) => void;
  /** The page did not answer in time. It still may. */
  onSilence: () => void;
  /** Why the page's answer is no token. */
  onFault: (why: string) => void;
}

const patienceMs = 10_000;
/** The shortest pause between two questions to the page. It doubles each time, up to the longest pause. */
const shortestPause = 10_000;
const longestPause = 300_000;
/** How often a refused token may be replaced at once, in ms, whenever the page was last asked. */
const hurryMs = 60_000;
/** The longest timer of a browser, in ms. */
const longestTimer = 2 ** 31 - 1;

export function createRenewal(
  host: BrowserHost,
  getUserToken: AssistantConfig['getUserToken'],
  { onToken, onSilence, onFault }: RenewalEvents,
): TokenRenewal {
  let renewing: Promise<boolean> | undefined;
  /** Ends the latest renewal for all who wait for it. */
  let settle: (isAnswered: boolean | Promise<boolean>) => void = () => undefined;
  /** The number of questions to the page, and the latest one that it has answered. */
  let asked = 0;
  let answeredLast = 0;
  let mayAskAt = -Infinity;
  let mayHurryAt = -Infinity;
  let pause = shortestPause;
  let due = Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;

  function plan(): void {
    clearTimeout(timer);
    if (!getUserToken) return;
    const wait = Math.max(due, mayAskAt) - host.elapsed();
    if (wait < longestTimer) timer = setTimeout(() => void renew(), Math.max(wait, 1000));
  }

  function renew(isUrgent = false): Promise<boolean> | boolean {
    if (isUrgent) due = -Infinity;
    const ask = getUserToken;
    const now = host.elapsed();
    const mayHurry = isUrgent && !renewing && now >= mayHurryAt;
    if (!ask || (now < mayAskAt && !mayHurry)) {
      plan();
      return renewing ?? false;
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
          onFault('getUserToken did not answer within 10 s.');
          onSilence();
          resolve(false);
        }, patienceMs);
        void (async () => ask())().then(
          (fresh) =>
            take(() => {
              if (typeof (fresh ?? '') !== 'string') {
                onFault('getUserToken must return a text or null.');
                fresh = '';
              }
              onToken(fresh || undefined);
            }, true),
          (error: unknown) => take(() => onFault(String(error))),
        );
      })),
    );
    return renewing;
  }

  return {
    renew,
    renewAt(next) {
      due = next;
      plan();
    },
    isDue: () => host.elapsed() >= due,
    askBy(ask) {
      if (ask === getUserToken) return;
      getUserToken = ask;
      clearTimeout(patience);
      renewing = undefined;
      mayAskAt = -Infinity;
      plan();
    },
    refresh(isUnknown) {
      if (isUnknown) {
        if (!renewing) mayAskAt = -Infinity;
        void renew();
      }
      if (!renewing) settle(false);
    },
  };
}
