import type { Clock } from '../clock.js';

export interface Verdict {
  allowed: boolean;
  /** Requests that would be allowed now. */
  remaining: number;
  /** Whole seconds until the full limit is available again. */
  resetSeconds: number;
  /** Whole seconds until the next request is allowed; 0 while any remain. */
  retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Counts one request of `key`, or as many as `weight`. A refused request does not count. */
  take(key: string, weight?: number): Verdict;
  /** Takes over what others have counted: whether a request is allowed, and the milliseconds until the full limit. */
  follow(key: string, counted: { allowed: boolean; debt: number }): Verdict;
  /** The verdict of `take`, without counting. */
  foresee(key: string): Verdict;
}

export const minuteMs = 60_000;
/** The sum of many shares differs slightly from the whole. */
export const roundingMs = 0.001;
/** The most keys in memory: invented addresses must not fill the memory. */
const mostKeys = 100_000;

/**
 * Allows each key `most` requests per minute, at once or spread; then one more after each share of
 * the minute (the generic cell rate algorithm). Unlike with fixed windows, two bursts can never follow each other
 * directly. Stores one number for each key of the last minute. Changes of the system clock have no effect.
 */
export function createRateLimiter(clock: Pick<Clock, 'elapsed'>, most: number): RateLimiter {
  const interval = minuteMs / most;
  /** The time at which each key has its full limit again. */
  const fullAt = new Map<string, number>();

  function forgetSome(now: number): void {
    for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key);
    // All keys are active: drop the oldest ones, which have had the most time.
    for (const key of fullAt.keys()) {
      if (fullAt.size < mostKeys * 0.9) return;
      fullAt.delete(key);
    }
  }

  /** The milliseconds until a key has its full limit again. */
  function debtOf(key: string, now: number): number {
    return Math.max(0, (fullAt.get(key) ?? now) - now);
  }

  function remember(key: string, at: number, now: number): void {
    if (fullAt.size >= mostKeys) forgetSome(now);
    fullAt.set(key, at);
  }

  const fits = (debt: number) => debt <= minuteMs + roundingMs;

  /** `debt` includes the request, if it is allowed. */
  function verdictOf(allowed: boolean, debt: number, cost = interval): Verdict {
    return {
      allowed,
      remaining: Math.max(0, Math.floor((minuteMs - debt + roundingMs) / interval)),
      resetSeconds: Math.ceil(debt / 1000),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((debt + cost - minuteMs) / 1000)),
    };
  }

  return {
    take(key, weight = 1) {
      const now = clock.elapsed();
      const debt = debtOf(key, now);
      const cost = interval * Math.min(weight, most);
      if (!fits(debt + cost)) return verdictOf(false, debt, cost);
      remember(key, now + debt + cost, now);
      return verdictOf(true, debt + cost);
    },
    follow(key, { allowed, debt }) {
      const now = clock.elapsed();
      // Some of its own may not have been counted there yet.
      remember(key, now + Math.max(debt, debtOf(key, now)), now);
      return verdictOf(allowed, debt);
    },
    foresee(key) {
      const debt = debtOf(key, clock.elapsed());
      return fits(debt + interval) ? verdictOf(true, debt + interval) : verdictOf(false, debt);
    },
  };
}
