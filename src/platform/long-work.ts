import { timestamp, type Clock } from './clock.js';
import { internalError, isRefusal, type AppError } from './errors.js';
import type { Logger } from './log.js';

/** Work of minutes that somebody starts and nobody waits for. One of each name runs at a time. */
export interface LongWork {
  /** Starts the work in the background, unless work of that name is running. */
  start(name: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** The last work of that name of this process. */
  last(name: string): WorkState | undefined;
  /** Aborts what is running, and resolves when it has ended. */
  stop(): Promise<void>;
}

export interface WorkState {
  startedAt: string;
  isRunning: boolean;
  /** Why it failed; never a bug, which only the log names. */
  failure: AppError | undefined;
  /** Resolves when it has ended. Never rejects. */
  ended: Promise<void>;
}

export function createLongWork({ clock, log }: { clock: Clock; log: Logger }): LongWork {
  const states = new Map<string, WorkState>();
  const stopping = new AbortController();
  return {
    start(name, work) {
      if (states.get(name)?.isRunning === true || stopping.signal.aborted) return;
      const state: WorkState = {
        startedAt: timestamp(clock),
        isRunning: true,
        failure: undefined,
        ended: Promise.resolve(),
      };
      state.ended = work(stopping.signal)
        .catch((error: unknown) => {
          if (stopping.signal.aborted) return;
          log.error({ err: error }, `the ${name} failed`);
          state.failure = isRefusal(error) ? error : internalError();
        })
        .finally(() => (state.isRunning = false));
      states.set(name, state);
    },
    last: (name) => states.get(name),
    async stop() {
      stopping.abort();
      await Promise.all([...states.values()].map(({ ended }) => ended));
    },
  };
}
