import { setTimeout as wait } from 'node:timers/promises';

export interface RetryDelays {
  /** The mean pause after the first failure, in milliseconds; it doubles with each further one. */
  firstMs: number;
  longestMs?: number;
}

export interface RetryOptions extends RetryDelays {
  /** The first attempt included. */
  attempts: number;
  /** The least pause after which another attempt makes sense, in milliseconds; undefined where none does. */
  retryAfterMs: (error: unknown) => number | undefined;
  /** Called before each pause. */
  onRetry?: (error: unknown, pauseMs: number) => void;
  signal?: AbortSignal | undefined;
  /** Replaced in tests. */
  pause?: typeof pause;
}

/** The pause after so many failures. It varies by a quarter, so that callers that failed together come back apart. */
export function retryDelay(
  failures: number,
  { firstMs, longestMs = Infinity }: RetryDelays,
): number {
  return Math.round(
    Math.min(firstMs * 2 ** (failures - 1), longestMs) * (0.75 + Math.random() / 2),
  );
}

/** Ends early, and never rejects, when the signal aborts: the caller looks at the signal next. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal && { signal }).catch(() => undefined);
}

/** Runs `attempt` until it succeeds, then rejects with the last failure, or with the reason of the signal. */
export async function retry<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const leastMs = options.retryAfterMs(error);
      if (leastMs === undefined || failures >= options.attempts) throw error;
      const ms = Math.max(leastMs, retryDelay(failures, options));
      options.onRetry?.(error, ms);
      await (options.pause ?? pause)(ms, options.signal);
      options.signal?.throwIfAborted();
    }
  }
}
