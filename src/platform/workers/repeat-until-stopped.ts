import type { App, JobSignal } from '../app.js';
import { isStorageTrouble } from '../db/sqlite-trouble.js';
import { AppError, messageOf } from '../errors.js';
import { pause, retryDelay } from '../retry.js';

/** Work that runs beside the requests of a process. */
export interface BackgroundWorker {
  /** Resolves when the work under way has ended. */
  stop(): Promise<void>;
}

/** A repeated step and its rules. */
interface Repeated {
  /** The pause between two steps, in milliseconds; shorter when the workers are woken. */
  pollMs: number;
  /** The effect of a failure, for the log: `messages are not sent`. */
  complaint: string;
  /** @param lane which of the parallel loops it is, from 0 */
  step: (signal: AbortSignal, lane: number) => Promise<unknown>;
  /** The number of parallel loops. */
  lanes?: number;
  /** The abort reason of the step's signal when the worker stops. */
  reason?: Error;
  /** Receives errors of a database that can't be written, instead of the log. */
  onStorageTrouble?: ((trouble: AppError) => void) | undefined;
}

/** The pauses between failures: a full disk or an unreachable model is tried less and less often. */
const delays = { firstMs: 1000, longestMs: 30_000 };

/**
 * Repeats a step until it is stopped, also after failures. Logs a failure once for each reason, and once that it is
 * over. After a failure the worker waits longer and does not wake early.
 */
export function repeatUntilStopped(
  app: Pick<App, 'jobs' | 'log' | 'db'>,
  { pollMs, complaint, step, lanes = 1, reason, onStorageTrouble }: Repeated,
): BackgroundWorker {
  const stopping = new AbortController();
  const { signal } = stopping;
  let failures = 0;
  let said: string | undefined;

  function fail(thrown: unknown): void {
    const error = app.db.dialect.troubleOf(thrown) ?? thrown;
    failures += 1;
    const why = messageOf(error);
    if (onStorageTrouble !== undefined && isStorageTrouble(error)) {
      onStorageTrouble(error);
    } else if (why !== said && !signal.aborted) {
      if (!(error instanceof AppError)) app.log.error({ err: error }, complaint);
      else if (isStorageTrouble(error)) app.log.error({ reason: why }, complaint);
      else app.log.warn({ reason: why }, complaint);
    }
    said = why;
  }

  function succeed(): void {
    if (said !== undefined) app.log.info(`no longer: ${complaint}`);
    failures = 0;
    said = undefined;
  }

  async function run(lane: number): Promise<void> {
    while (!signal.aborted) {
      try {
        await step(signal, lane);
        succeed();
      } catch (error) {
        fail(error);
      }
      if (failures === 0) await nextChance(app.jobs, pollMs, signal);
      else await pause(Math.max(pollMs, retryDelay(failures, delays)), signal);
    }
  }

  const running = Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)));
  return {
    async stop() {
      stopping.abort(reason);
      await running;
    },
  };
}

/** Waits until the worker is woken, the poll interval has passed, or the worker must stop. */
async function nextChance(jobs: JobSignal, pollMs: number, signal: AbortSignal): Promise<void> {
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
