import type { App } from '../../platform/app.js';
import { messageOf } from '../../platform/errors.js';
import { renewClaims } from '../store/running-answers.repository.js';

/** Receives a claim whenever it was renewed; undefined when the answer was cancelled at another server. */
type Heed = (claim: { isWatched: boolean } | undefined) => void;

/** The claims of this process on the answers that it makes. */
export interface KeptClaims {
  /** Renews a claim, again and again, until the returned function is called. */
  keep(questionId: number, heed: Heed): () => void;
}

declare module '../../platform/app.js' {
  interface App {
    claims: KeptClaims;
  }
}

/** How often a process asks whether others watch or have cancelled its answers, in milliseconds. */
const heedMs = 1000;

/** Renews all claims by one statement: hundreds of answers may wait for the model, and a notice is meant for one of them. */
export function createKeptClaims(app: Pick<App, 'db' | 'clock' | 'log'>): KeptClaims {
  const heeds = new Map<number, Heed>();
  let rest: (() => void) | undefined;
  let isDue = false;
  let isRenewing = false;

  async function renew(): Promise<void> {
    const ids = [...heeds.keys()];
    try {
      const claims = await renewClaims(app, ids);
      ids.forEach((id) => heeds.get(id)?.(claims.get(id)));
    } catch (error) {
      app.log.warn({ reason: messageOf(error) }, 'the claims on answers could not be renewed');
    }
  }

  async function run(): Promise<void> {
    isDue = true;
    if (isRenewing) return;
    isRenewing = true;
    while (isDue && heeds.size > 0) {
      isDue = false;
      await renew();
    }
    isRenewing = false;
  }

  function begin(): () => void {
    const timer = setInterval(() => void run(), heedMs);
    const stopHearing = app.db.notices.on('claims', () => void run());
    return () => {
      clearInterval(timer);
      stopHearing();
    };
  }

  return {
    keep(questionId, heed) {
      heeds.set(questionId, heed);
      rest ??= begin();
      return () => {
        heeds.delete(questionId);
        if (heeds.size > 0) return;
        rest?.();
        rest = undefined;
      };
    },
  };
}
