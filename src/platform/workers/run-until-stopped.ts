import type { JobSignal } from '../app.js';

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

/** Until somebody wakes the worker, the time to look again has come, or it is to stop. */
export async function nextChance(
  jobs: JobSignal,
  pollMs: number,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stopListening();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, pollMs);
    const stopListening = jobs.onWake(done);
    signal.addEventListener('abort', done, { once: true });
  });
}
