import type { SignInThrottle } from '../../platform/app.js';
import type { Clock } from '../../platform/clock.js';
import type { Config } from '../../platform/config/schema.js';
import { tooMany } from '../../platform/errors.js';
import { addressKey } from '../../platform/http/client-address.js';
import { createRateLimiter, minuteMs, type RateLimiter } from '../../platform/http/rate-limiter.js';
import type { SignInPlaces } from './sign-in-places.repository.js';

/** How many pairs of account and address are remembered as those of the account's owner. */
const knownPairs = 10_000;

/**
 * Counts wrong passwords three times: of an account from an address, of an address, and of an account from
 * everywhere, by the minute. The last two spare the addresses of the account's earlier sign-ins. So a guesser with many
 * addresses, or in the owner's own network, is slowed down, and the owner is not kept out.
 * Codes of a second factor have two counts for each account, since their guesser has the password: one for all
 * addresses of earlier sign-ins together, one for all others. Guesses from elsewhere don't keep the owner out.
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
  const known = new Set<string>();

  function remember(pair: string): void {
    known.delete(pair);
    known.add(pair);
    const [oldest] = known;
    if (known.size > knownPairs && oldest !== undefined) known.delete(oldest);
  }

  return {
    unknown(clientAddress) {
      count(by.unknown, addressKey(clientAddress));
    },
    async attempt(account, clientAddress) {
      const address = addressKey(clientAddress);
      // An address holds no blank: no two pairs are written alike.
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
          // Once for each process: a sign-in is not to cost a further write each time.
          if (!known.has(pair)) await places.remember(pair, userId);
          remember(pair);
          by.pair.forget(pair);
          if (hasCode) by.codes.forget(place);
          if (isKnown) return;
          // One back and no more: signing in to an account of one's own must not buy guesses at others.
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
