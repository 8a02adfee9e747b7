import { LRUCache } from 'lru-cache';
import type { SignInThrottle, Store } from '../../platform/app.js';
import type { Config } from '../../platform/config/schema.js';
import { tooMany } from '../../platform/errors.js';
import { addressKey } from '../../platform/http/client-address.js';
import { minuteMs } from '../../platform/http/rate-limiter.js';
import {
  type CountedAttempt,
  forgetAttempts,
  giveAttemptBack,
  takeAttempt,
} from './sign-in-attempts.repository.js';
import { isKnownPlace, rememberPlace } from './sign-in-places.repository.js';

/** The most pairs of account and address in memory. */
const knownPairs = 10_000;

/**
 * Counts wrong passwords per minute in three ways: per account and address, per address, and per account from all
 * addresses. The last two ignore addresses of the account's earlier sign-ins. A guesser with many addresses, or in the
 * owner's network, is slowed down, but the owner is not locked out.
 * Codes of a second factor have two counts per account, because their guesser has the password: one for all addresses
 * of earlier sign-ins together, one for all other addresses. Guesses from elsewhere do not lock out the owner.
 */
export function createSignInThrottle(app: Store, settings: Config['auth']): SignInThrottle {
  const windowMs = settings.login_window_minutes * minuteMs;
  const limits = {
    pair: { most: settings.login_attempts, windowMs },
    address: { most: settings.login_attempts_per_address, windowMs },
    account: { most: settings.login_attempts_per_account_minute, windowMs: minuteMs },
    codes: { most: settings.login_attempts, windowMs },
    /** Answers and codes that belong to no sign-in. */
    unknown: { most: settings.login_attempts, windowMs },
  };
  const counted = (name: keyof typeof limits, key: string): CountedAttempt => {
    return { limit: limits[name], key: `${name} ${key}` };
  };
  const count = async (...attempts: CountedAttempt[]) => {
    const seconds = await takeAttempt(app, attempts);
    if (seconds !== undefined) throw tooMany('attempts to sign in', seconds);
  };
  const known = new LRUCache<string, true>({ maxSize: knownPairs, sizeCalculation: () => 1 });

  return {
    unknown: (clientAddress) => count(counted('unknown', addressKey(clientAddress))),
    async attempt(account, clientAddress) {
      const address = addressKey(clientAddress);
      // An address contains no blank, so every pair has its own key.
      const place = `${address} ${account}`;
      const isKnown = known.has(place) || (await isKnownPlace(app, place));
      const pair = counted('pair', place);
      const others = [counted('address', address), counted('account', account)];
      await count(pair, ...(isKnown ? [] : others));
      const codes = counted('codes', `${isKnown ? 'known' : 'other'} ${account}`);
      let hasCode = false;
      return {
        async countCode() {
          await count(codes);
          hasCode = true;
        },
        async succeeded(userId) {
          // Once per process, so that a sign-in does not always cost another write.
          if (!known.has(place)) await rememberPlace(app, place, userId);
          known.set(place, true);
          await forgetAttempts(app, hasCode ? [pair.key, codes.key] : [pair.key]);
          if (isKnown) return;
          // Give back only this one attempt: signing in to one's own account must not allow more guesses at others.
          for (const other of others) await giveAttemptBack(app, other);
        },
      };
    },
  };
}
