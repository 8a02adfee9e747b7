import { setTimeout as wait } from 'node:timers/promises';

export interface RetryDelays {
  /** The mean pause after the first failure, in milliseconds. It doubles with each further failure. */
  firstMs: number;
  longestMs?: number;
}

export interface RetryOptions extends RetryDelays {
  /** Includes the first attempt. */
  attempts: number;
  /** The least pause before another attempt makes sense, in milliseconds; undefined when no attempt can help. */
  retryAfterMs: (error: unknown) => number | undefined;
  onRetry?: (error: unknown, pauseMs: number) => void;
  signal?: AbortSignal | undefined;
  /** Replaced in tests. */
  pause?: typeof pause;
}

/** The pause after `failures` failures. It varies by a quarter, so that callers that failed together retry apart. */
export function retryDelay(
  failures: number,
  { firstMs, longestMs = Infinity }: RetryDelays,
): number {
  return Math.round(
    Math.min(firstMs * 2 ** (failures - 1), longestMs) * (0.75 + Math.random() / 2),
  );
}

/** Ends early when the signal aborts, and never rejects. The caller must check the signal next. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal && { signal }).catch(() => undefined);
}

/** Runs `attempt` until it succeeds. Otherwise rejects with the last failure, or with the reason of the signal. */
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
