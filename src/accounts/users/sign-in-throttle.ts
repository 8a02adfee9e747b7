import { LRUCache } from 'lru-cache';
import type { SignInThrottle } from '../../platform/app.js';
import type { Clock } from '../../platform/clock.js';
import type { Config } from '../../platform/config/schema.js';
import { tooMany } from '../../platform/errors.js';
import { addressKey } from '../../platform/http/client-address.js';
import { createRateLimiter, minuteMs, type RateLimiter } from '../../platform/http/rate-limiter.js';
import type { SignInPlaces } from './sign-in-places.repository.js';

/** The most pairs of account and address in memory. */
const knownPairs = 10_000;

/**
 * Counts wrong passwords per minute in three ways: per account and address, per address, and per account from all
 * addresses. The last two ignore addresses of the account's earlier sign-ins. A guesser with many addresses, or in the
 * owner's network, is slowed down, but the owner is not locked out.
 * Codes of a second factor have two counts per account, because their guesser has the password: one for all addresses
 * of earlier sign-ins together, one for all other addresses. Guesses from elsewhere do not lock out the owner.
 */
export function createSignInThrottle(
  settings: Config['auth'],
  clock: Clock,
  places: SignInPlaces,
): SignInThrottle {
  const inWindow = (most: number) =>
    createRateLimiter(clock, most, settings.login_window_minutes * minuteMs);
  const by = {
    pair: inWindow(settings.login_attempts),
    address: inWindow(settings.login_attempts_per_address),
    account: createRateLimiter(clock, settings.login_attempts_per_account_minute),
    codes: inWindow(settings.login_attempts),
    /** Answers and codes that belong to no sign-in. */
    unknown: inWindow(settings.login_attempts),
  };
  const known = new LRUCache<string, true>({ maxSize: knownPairs, sizeCalculation: () => 1 });

  return {
    unknown(clientAddress) {
      count(by.unknown, addressKey(clientAddress));
    },
    async attempt(account, clientAddress) {
      const address = addressKey(clientAddress);
      // An address contains no blank, so every pair has its own key.
      const pair = `${address} ${account}`;
      count(by.pair, pair);
      const isKnown = known.has(pair) || (await places.isKnown(pair));
      if (!isKnown) {
        count(by.address, address);
        count(by.account, account);
      }
      const place = `${isKnown ? 'known' : 'other'} ${account}`;
      let hasCode = false;
      return {
        countCode() {
          count(by.codes, place);
          hasCode = true;
        },
        async succeeded(userId) {
          // Once per process, so that a sign-in does not always cost another write.
          if (!known.has(pair)) await places.remember(pair, userId);
          known.set(pair, true);
          by.pair.forget(pair);
          if (hasCode) by.codes.forget(place);
          if (isKnown) return;
          // Give back only this one attempt: signing in to one's own account must not allow more guesses at others.
          by.address.giveBack(address);
          by.account.giveBack(account);
        },
      };
    },
  };
}

function count(limit: RateLimiter, key: string): void {
  const { allowed, retryAfterSeconds } = limit.take(key);
  if (!allowed) throw tooMany('attempts to sign in', retryAfterSeconds);
}
