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
  /** Counts one request of `key`. A refused request does not count. */
  take(key: string): Verdict;
  /** The verdict of `take`, without counting. */
  foresee(key: string): Verdict;
}

export const minuteMs = 60_000;
/** The sum of many shares differs slightly from the whole. */
const roundingMs = 0.001;
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

  /** The verdict on the next request. `debt` is the time until the key would have its full limit again. */
  function judge(key: string, now: number): Verdict & { debt: number } {
    const before = Math.max(fullAt.get(key) ?? now, now);
    const spent = before + interval - now;
    const allowed = spent <= minuteMs + roundingMs;
    const debt = allowed ? spent : before - now;
    return {
      debt,
      allowed,
      remaining: Math.max(0, Math.floor((minuteMs - debt + roundingMs) / interval)),
      resetSeconds: Math.ceil(debt / 1000),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((spent - minuteMs) / 1000)),
    };
  }

  return {
    take(key) {
      const now = clock.elapsed();
      if (fullAt.size >= mostKeys) forgetSome(now);
      const { debt, ...verdict } = judge(key, now);
      fullAt.set(key, now + debt);
      return verdict;
    },
    foresee(key) {
      const { debt: _, ...verdict } = judge(key, clock.elapsed());
      return verdict;
    },
  };
}
