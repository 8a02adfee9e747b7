import type { AssistantConfig } from '../api-types.js';
import type { BrowserHost } from './browser-host.js';

const patienceMs = 10_000;
/** The shortest pause between two questions to the page. It doubles each time, up to the longest pause. */
const shortestPause = 10_000;
const longestPause = 300_000;
/** How often a refused token may be replaced at once, in ms, whenever the page was last asked. */
const hurryMs = 60_000;
/** The longest timer of a browser, in ms. */
const longestTimer = 2 ** 31 - 1;

/** The page's `getUserToken`, asked with pauses. */
export interface AskedPage {
  /** True when it is time to renew the token. */
  isDue(): boolean;
  /** Asks again after this time, in ms. */
  renewIn(ms: number): void;
  /**
   * Asks for a user token and resolves to true when the page answered. A question under way is shared. Resolves to false
   * after ten seconds, and during a pause, which `isUrgent` (a token was refused) may skip once a minute, and `isAnew` always.
   */
  ask(isUrgent?: boolean, isAnew?: boolean): Promise<boolean> | false;
  /** Replaces the function. Without one, everything under way ends. */
  change(next: AssistantConfig['getUserToken']): void;
}

/**
 * Asks the page for user tokens. `answered` receives each answer, also a late one, but never one that a newer answer has
 * overtaken. `late` is called after ten seconds without an answer. `lost` receives the reason of a failure.
 */
export function askPage(
  host: BrowserHost,
  getUserToken: AssistantConfig['getUserToken'],
  answered: (token: string | undefined) => void,
  late: () => void,
  lost: (why: string) => void,
): AskedPage {
  let renewing: Promise<boolean> | undefined;
  /** The number of questions, and the latest one that was answered. */
  let asked = 0;
  let answeredLast = 0;
  let mayAskAt = -Infinity;
  let mayHurryAt = -Infinity;
  let pause = shortestPause;
  let due = Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;

  function forget(): void {
    clearTimeout(patience);
    renewing = undefined;
  }

  /** Schedules the renewal: at its time or, if that has passed, as soon as the page may be asked again. */
  function plan(): void {
    clearTimeout(timer);
    const wait = Math.max(due, mayAskAt) - host.elapsed();
    if (getUserToken && wait < longestTimer) {
      timer = setTimeout(() => void ask(), Math.max(wait, 1000));
    }
  }

  function ask(isUrgent?: boolean, isAnew?: boolean): Promise<boolean> | false {
    const get = getUserToken;
    if (isAnew && !renewing) mayAskAt = -Infinity;
    const now = host.elapsed();
    const mayHurry = isUrgent && !renewing && now >= mayHurryAt;
    if (!get || (now < mayAskAt && !mayHurry)) {
      plan();
      return renewing ?? false;
    }
    if (isUrgent) mayHurryAt = now + hurryMs;
    pause = now - mayAskAt < pause ? Math.min(2 * pause, longestPause) : shortestPause;
    mayAskAt = now + pause;
    plan();
    const turn = (asked += 1);
    // False for the answer of a replaced function or a removed widget, and for an overtaken one.
    const counts = () => {
      if (get !== getUserToken || turn < answeredLast) return false;
      answeredLast = turn;
      if (turn === asked) forget();
      return true;
    };
    const answer = (async () => get())().then(
      (fresh) => {
        if (!counts()) return false;
        if (typeof (fresh ?? '') !== 'string') lost('getUserToken must return a text or null.');
        answered(typeof fresh === 'string' && fresh ? fresh : undefined);
        return true;
      },
      (error: unknown) => {
        if (counts()) lost(String(error));
        return false;
      },
    );
    const giveUp = new Promise<boolean>((resolve) => {
      patience = setTimeout(() => {
        lost('getUserToken did not answer within ten seconds.');
        late();
        resolve(false);
      }, patienceMs);
    });
    return (renewing = Promise.race([answer, giveUp]));
  }

  return {
    isDue: () => host.elapsed() >= due,
    renewIn(ms) {
      due = host.elapsed() + ms;
      plan();
    },
    ask,
    change(next) {
      if (getUserToken === next) return;
      getUserToken = next;
      forget();
      mayAskAt = -Infinity;
      plan();
    },
  };
}
