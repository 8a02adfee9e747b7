/** The time limits of one call, in milliseconds. */
export interface DeadlineSettings {
  firstTokenTimeoutMs: number;
  idleTimeoutMs: number;
  totalTimeoutMs: number;
}

/** The event that did not come in time. */
export type Missed = 'first token' | 'next token' | 'end';

/** The time limits of one call. `signal` aborts with the caller's reason, or with the error of a missed deadline. */
export interface Deadlines {
  signal: AbortSignal;
  /** The request was sent: the limit for the first token starts. */
  sent(): void;
  /** A token arrived: the limit for the next one starts. */
  arrived(): void;
  /** The answer is complete, or nobody waits for it: only the total limit still counts. */
  rest(): void;
  abort(reason: unknown): void;
  /** Must be called at the end, because the timers would outlive the call. */
  stop(): void;
}

/**
 * Starts the total limit at once, so that time in the queue counts and the caller never waits longer. With `patient`,
 * the total starts when the request is sent: for background work.
 */
export function startDeadlines(
  settings: DeadlineSettings,
  caller: AbortSignal | undefined,
  failureOf: (missed: Missed) => Error,
  patient = false,
): Deadlines {
  const controller = new AbortController();
  const miss = (missed: Missed) => () => controller.abort(failureOf(missed));
  const cancelled = () => controller.abort(caller?.reason);
  const startTotal = () => setTimeout(miss('end'), settings.totalTimeoutMs);
  let total = patient ? undefined : startTotal();
  let due: NodeJS.Timeout | undefined;
  const expect = (missed: Missed, afterMs: number) => {
    clearTimeout(due);
    due = setTimeout(miss(missed), afterMs);
  };
  // A listener that stop() removes: AbortSignal.any would keep a reference to a caller's long-lived signal.
  if (caller?.aborted) cancelled();
  else caller?.addEventListener('abort', cancelled, { once: true });

  return {
    signal: controller.signal,
    sent() {
      total ??= startTotal();
      expect('first token', settings.firstTokenTimeoutMs);
    },
    arrived: () => expect('next token', settings.idleTimeoutMs),
    rest: () => clearTimeout(due),
    abort: (reason) => controller.abort(reason),
    stop() {
      clearTimeout(due);
      clearTimeout(total);
      caller?.removeEventListener('abort', cancelled);
    },
  };
}
