import type { JobSignal } from '../app.js';

/** Work that runs beside the requests of a process. */
export interface BackgroundWorker {
  /** Resolves when the work under way has ended. */
  stop(): Promise<void>;
}

/** Starts `work`, which must end soon after its signal aborts. `reason` becomes the signal's reason. */
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

/** Waits until the worker is woken, the poll interval has passed, or the worker must stop. */
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
