/** Work that goes on beside the requests of a process. */
export interface BackgroundWorker {
  /** Resolves when what was under way has ended. */
  stop(): Promise<void>;
}

/** Begins `work`, which ends soon after its signal aborts; `reason` is what the signal says then. */
export function runUntilStopped(
  work: (signal: AbortSignal) => Promise<unknown>,
  reason?: Error,
): BackgroundWorker {
  const stopping = new AbortController();
  const running = work(stopping.signal);
  return {
    async stop() {
      stopping.abort(reason);
      await running;
    },
  };
}
