/** How long one call may take, in milliseconds. */
export interface DeadlineSettings {
  firstTokenTimeoutMs: number;
  idleTimeoutMs: number;
  totalTimeoutMs: number;
}

/** The sign of life that was missed. */
export type Missed = 'first token' | 'next token' | 'end';

/** The limits of one call: `signal` aborts with the caller's reason, or with the failure of a missed deadline. */
export interface Deadlines {
  signal: AbortSignal;
  /** The request is sent: the first token is due. */
  sent(): void;
  /** Something arrived: the next is due. */
  arrived(): void;
  /** The answer is complete or nobody waits: only the total still counts. */
  rest(): void;
  abort(reason: unknown): void;
  /** Must be called at the end, else the timers outlive the call. */
  stop(): void;
}

/**
 * Starts the total at once, so that waiting in the queue counts: the caller never waits longer than that. With
 * `patient` it starts when the request is sent: for work that nobody waits for.
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
  // A listener of our own, removed in stop(): AbortSignal.any would keep hold of a caller's long-lived signal.
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
