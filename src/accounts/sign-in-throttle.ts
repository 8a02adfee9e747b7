import { isIPv6 } from 'node:net';
import type { RateLimiterMemory } from 'rate-limiter-flexible';
import type { SignInThrottle } from '../platform/app.js';
import type { Config } from '../platform/config/schema.js';
import { AppError } from '../platform/errors.js';
import type { SignInPlaces } from './sign-in-places.repository.js';

/** How many pairs of account and address are remembered as those of the account's owner. */
const knownPairs = 10_000;

interface Limits {
  pair: RateLimiterMemory;
  address: RateLimiterMemory;
  account: RateLimiterMemory;
  codes: RateLimiterMemory;
  /** Of answers and codes that belong to no sign-in. */
  unknown: RateLimiterMemory;
}

/**
 * Counts wrong passwords three times: of an account from an address, of an address, and of an account from
 * everywhere, by the minute. The last two spare the addresses of the account's earlier sign-ins. So a guesser with many
 * addresses, or in the owner's own network, is slowed down, and the owner is not kept out.
 * Codes of a second factor have two counts for each account, since their guesser has the password: one for all
 * addresses of earlier sign-ins together, one for all others. Guesses from elsewhere don't keep the owner out.
 */
export function createSignInThrottle(
  settings: Config['auth'],
  places: SignInPlaces,
): SignInThrottle {
  let limits: Promise<Limits> | undefined;
  const known = new Set<string>();

  function remember(pair: string): void {
    known.delete(pair);
    known.add(pair);
    const [oldest] = known;
    if (known.size > knownPairs && oldest !== undefined) known.delete(oldest);
  }

  return {
    async unknown(clientAddress) {
      limits ??= openLimits(settings);
      await count((await limits).unknown, networkOf(clientAddress));
    },
    async attempt(account, clientAddress) {
      limits ??= openLimits(settings);
      const by = await limits;
      const address = networkOf(clientAddress);
      // An address holds no blank: no two pairs are written alike.
      const pair = `${address} ${account}`;
      await count(by.pair, pair);
      const isKnown = known.has(pair) || (await places.isKnown(pair));
      if (!isKnown) {
        await count(by.address, address);
        await count(by.account, account);
      }
      const place = `${isKnown ? 'known' : 'other'} ${account}`;
      let hasCode = false;
      return {
        async countCode() {
          await count(by.codes, place);
          hasCode = true;
        },
        async succeeded(userId) {
          // Once for each process: a sign-in is not to cost a further write each time.
          if (!known.has(pair)) await places.remember(pair, userId);
          remember(pair);
          await by.pair.delete(pair);
          if (hasCode) await by.codes.delete(place);
          if (isKnown) return;
          // One back and no more: signing in to an account of one's own must not buy guesses at others.
          await by.address.reward(address, 1);
          await by.account.reward(account, 1);
        },
      };
    },
  };
}

async function openLimits(settings: Config['auth']): Promise<Limits> {
  const { RateLimiterMemory } = await import('rate-limiter-flexible');
  const duration = settings.login_window_minutes * 60;
  return {
    pair: new RateLimiterMemory({ points: settings.login_attempts, duration }),
    address: new RateLimiterMemory({ points: settings.login_attempts_per_address, duration }),
    account: new RateLimiterMemory({
      points: settings.login_attempts_per_account_minute,
      duration: 60,
    }),
    codes: new RateLimiterMemory({ points: settings.login_attempts, duration }),
    unknown: new RateLimiterMemory({ points: settings.login_attempts, duration }),
  };
}

async function count(limit: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limit.consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    const { msBeforeNext } = refusal as { msBeforeNext: number };
    const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    const sentence = `Too many attempts to sign in. Try again in ${retryAfterSeconds} seconds.`;
    throw new AppError('rate_limited', sentence, { retryAfterSeconds });
  }
}

/** The network that one client holds whole: an IPv4 address, or the /64 of an IPv6 address. */
function networkOf(address: string): string {
  const [plain = ''] = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  const whole = [...groups, ...Array<string>(zeros).fill('0'), ...rest];
  return whole
    .slice(0, 4)
    .map((group) => group.padStart(4, '0'))
    .join(':');
}
