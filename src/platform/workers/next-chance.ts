import type { JobSignal } from '../app.js';

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
