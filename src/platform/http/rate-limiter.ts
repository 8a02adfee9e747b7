import type { Clock } from '../clock.js';

export interface Verdict {
  allowed: boolean;
  /** Further requests that would be allowed at once. */
  remaining: number;
  /** Whole seconds until all of them are allowed again. */
  resetSeconds: number;
  /** Whole seconds until the next is allowed: 0 while any remain. */
  retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Counts one request of `key`; a refused one costs nothing. */
  take(key: string): Verdict;
  /** What `take` would say, without counting. */
  foresee(key: string): Verdict;
  /** Takes the count of one request of `key` back. */
  giveBack(key: string): void;
  /** Takes all of them back. */
  forget(key: string): void;
}

export const minuteMs = 60_000;
/** The sum of many shares is not exactly the whole. */
const roundingMs = 0.001;
/** Keys remembered at most: invented addresses must not fill the memory. */
const mostKeys = 100_000;

/**
 * Allows each key `most` requests in a window, by default of a minute: all at once, or spread, and then one each time
 * that the window's share of it has passed (the generic cell rate algorithm). Unlike windows that begin anew, no two
 * bursts can stand side by side. Holds one number for each key that was seen within the last window. Setting the
 * machine's clock changes nothing.
 */
export function createRateLimiter(
  clock: Pick<Clock, 'elapsed'>,
  most: number,
  windowMs = minuteMs,
): RateLimiter {
  const interval = windowMs / most;
  /** When each key has all of its requests back. */
  const fullAt = new Map<string, number>();

  function forgetSome(now: number): void {
    for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key);
    // All of them are in use: those that came first have had the most time.
    for (const key of fullAt.keys()) {
      if (fullAt.size < mostKeys * 0.9) return;
      fullAt.delete(key);
    }
  }

  /** The verdict on the next request, and how far ahead of now it puts the time at which the key has all back. */
  function judge(key: string, now: number): Verdict & { debt: number } {
    const before = Math.max(fullAt.get(key) ?? now, now);
    const spent = before + interval - now;
    const allowed = spent <= windowMs + roundingMs;
    const debt = allowed ? spent : before - now;
    return {
      debt,
      allowed,
      remaining: Math.max(0, Math.floor((windowMs - debt + roundingMs) / interval)),
      resetSeconds: Math.ceil(debt / 1000),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((spent - windowMs) / 1000)),
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
    giveBack(key) {
      const at = fullAt.get(key);
      if (at !== undefined) fullAt.set(key, at - interval);
    },
    forget: (key) => void fullAt.delete(key),
  };
}
