import { Worker } from 'node:worker_threads';
import type { App } from '../platform/app.js';
import { messageOf } from '../platform/errors.js';
import { connectCalls, type Calls } from '../platform/workers/calls.js';
import type { FunctionsOfServer, FunctionsOfThread } from './search-thread.js';

declare module '../platform/app.js' {
  interface App {
    /** Of a server alone. */
    searchThread?: SearchThread;
  }
}

/** Searches in a thread of its own, so that nothing else of the process waits for them. */
export interface SearchThread {
  /**
   * Has the thread work. Undefined when it has ended, and once more after a restart: the caller then searches by itself.
   */
  run<T>(work: (calls: Calls<FunctionsOfThread>) => Promise<T>): Promise<T | undefined>;
  /** Ends the thread for good, with what it does. */
  close(): Promise<void>;
}

/** The thread was killed, ran out of memory, or could not start. */
class ThreadEnded extends Error {}

/** The thread is started by the first search, and by the next one after it has ended. */
export function createSearchThread(
  app: Pick<App, 'config' | 'models' | 'log'>,
  program = new URL('./search-thread.js', import.meta.url),
): SearchThread {
  const functions: FunctionsOfServer = {
    embed: (request) => app.models.embed(request),
    warn: (facts, text) => app.log.warn(facts, text),
  };
  let thread: { worker: Worker; calls: Calls<FunctionsOfThread> } | undefined;
  let isClosed = false;

  function start() {
    const worker = new Worker(program, {
      name: 'search',
      workerData: app.config,
      // Options of a program that was given as text, say, hold for no file.
      execArgv: [],
    });
    const calls = connectCalls<FunctionsOfThread>(worker, functions);
    const started = { worker, calls };
    const end = (reason: string) => {
      if (thread === started) thread = undefined;
      calls.fail(new ThreadEnded(reason));
    };
    worker.on('error', (error) => {
      app.log.error({ reason: messageOf(error) }, 'the thread for searches failed');
      end(messageOf(error));
    });
    worker.on('exit', () => end('The thread for searches has ended.'));
    return started;
  }

  return {
    async run(work) {
      for (let attempt = 1; attempt <= 2 && !isClosed; attempt++) {
        const { worker, calls } = (thread ??= start());
        // The thread keeps the process alive only while it works.
        worker.ref();
        const outcome = await work(calls)
          .then((result) => ({ result }))
          .catch((error: unknown) => {
            if (!(error instanceof ThreadEnded)) throw error;
          })
          .finally(() => {
            if (calls.underWay() === 0) worker.unref();
          });
        if (outcome !== undefined) return outcome.result;
      }
      return undefined;
    },
    async close() {
      isClosed = true;
      const ending = thread;
      if (ending === undefined) return;
      await ending.calls.call('close').catch(() => undefined);
      await ending.worker.terminate();
    },
  };
}
