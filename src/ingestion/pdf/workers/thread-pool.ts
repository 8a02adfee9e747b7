import { Worker } from 'node:worker_threads';
import { AppError } from '../../../platform/errors.js';
import type { FromThread, PdfResults, PdfTask, ToThread } from './protocol.js';

export interface ThreadPoolSettings {
  workers: number;
  /** Heap of each thread in MB; a thread that needs more is ended, and nothing else with it. */
  workerMemoryMb: number;
}

export interface TaskHooks {
  /** The longest time between two signs of life (a page read) in milliseconds. */
  silenceMs: number;
  onPage?: (page: number) => void;
  signal: AbortSignal;
}

const nurseryMb = 64;

interface Job {
  id: number;
  task: PdfTask;
  hooks: TaskHooks;
  resolve: (result: never) => void;
  reject: (reason: unknown) => void;
}

interface Thread {
  worker: Worker;
  job: Job | undefined;
  watchdog: NodeJS.Timeout | undefined;
  lastPage: number;
}

function explainDeath(error: unknown): AppError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new AppError(
      'out_of_memory',
      'The PDF needs more memory than one thread may use. Split it, or raise ingestion.thread_memory_mb.',
      { cause: error },
    );
  }
  return new AppError('internal', 'The thread that read the PDF ended unexpectedly. Try again.', {
    cause: error,
  });
}

/**
 * Threads that read PDFs, started when first needed and ended by close(). A thread does one task at a time, so that
 * ending it (the only way to stop pdf.js in the middle of a page) costs no other file anything but a restart.
 */
export class ThreadPool {
  readonly #threads = new Set<Thread>();
  #queue: Job[] = [];
  #nextId = 1;
  #closed = false;

  constructor(readonly settings: ThreadPoolSettings) {}

  /**
   * Runs one task. Rejects with the signal's reason when it is aborted, with timeout when the thread shows no sign of
   * life, and with out_of_memory or internal when it dies; the thread is ended in each case.
   */
  run<Kind extends PdfTask['kind']>(
    task: Extract<PdfTask, { kind: Kind }>,
    hooks: TaskHooks,
  ): Promise<PdfResults[Kind]> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(
          new AppError('shutting_down', 'The service is stopping. Upload the file again later.'),
        );
        return;
      }
      const job: Job = { id: this.#nextId++, task, hooks, resolve, reject };
      if (hooks.signal.aborted) {
        reject(toError(hooks.signal.reason));
        return;
      }
      const abort = () => this.#abandon(job);
      hooks.signal.addEventListener('abort', abort, { once: true });
      const settled = () => hooks.signal.removeEventListener('abort', abort);
      job.resolve = (result: never) => {
        settled();
        resolve(result);
      };
      job.reject = (reason: unknown) => {
        settled();
        reject(toError(reason));
      };
      this.#queue.push(job);
      this.#dispatch();
    });
  }

  /** Lets every thread drop what it holds of a file. */
  forget(file: number): void {
    for (const thread of this.#threads) this.#send(thread, { kind: 'forget', file });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const stopping = new AppError(
      'shutting_down',
      'The service is stopping. Upload the file again later.',
    );
    for (const job of this.#queue.splice(0)) job.reject(stopping);
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, stopping)));
  }

  #send(thread: Thread, message: ToThread): void {
    // Page buffers on their way to the assembling thread are moved, not copied.
    const moved =
      message.kind === 'task' && message.task.kind === 'assemble'
        ? [...message.task.pages, message.task.outline].flatMap((part) =>
            part.buffer instanceof ArrayBuffer ? [part.buffer] : [],
          )
        : [];
    thread.worker.postMessage(message, moved);
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const idle = [...this.#threads].find((thread) => thread.job === undefined);
      const thread =
        idle ?? (this.#threads.size < this.settings.workers ? this.#start() : undefined);
      const job = thread === undefined ? undefined : this.#queue.shift();
      if (thread === undefined || job === undefined) return;
      thread.job = job;
      thread.lastPage = 0;
      thread.worker.ref();
      this.#watch(thread);
      this.#send(thread, { kind: 'task', id: job.id, task: job.task });
    }
  }

  #start(): Thread {
    const worker = new Worker(new URL('./pdf-thread.js', import.meta.url), {
      name: 'pdf',
      // Reading makes much that is soon forgotten: a larger nursery spares a tenth of the time.
      resourceLimits: {
        maxOldGenerationSizeMb: this.settings.workerMemoryMb,
        maxYoungGenerationSizeMb: nurseryMb,
      },
    });
    const thread: Thread = { worker, job: undefined, watchdog: undefined, lastPage: 0 };
    worker.on('message', (message: FromThread) => this.#receive(thread, message));
    worker.on('error', (error) => void this.#end(thread, explainDeath(error)));
    worker.on('exit', () => void this.#end(thread, explainDeath(undefined)));
    this.#threads.add(thread);
    return thread;
  }

  #receive(thread: Thread, message: FromThread): void {
    const { job } = thread;
    if (job?.id !== message.id) return;
    if (message.kind === 'page') {
      thread.lastPage = message.page;
      this.#watch(thread);
      job.hooks.onPage?.(message.page);
      return;
    }
    clearTimeout(thread.watchdog);
    thread.job = undefined;
    if (message.kind === 'done') job.resolve(message.result as never);
    else {
      const options = message.page === undefined ? {} : { page: message.page };
      job.reject(new AppError(message.code, message.message, options));
    }
    this.#dispatch();
  }

  #watch(thread: Thread): void {
    clearTimeout(thread.watchdog);
    const { job } = thread;
    if (job === undefined) return;
    thread.watchdog = setTimeout(() => {
      const page =
        job.task.kind === 'read' ? Math.max(job.task.from, thread.lastPage + 1) : undefined;
      const seconds = Math.round(job.hooks.silenceMs / 100) / 10;
      const where = page === undefined ? 'A step of reading the PDF' : `Page ${page}`;
      const sentence = `${where} took longer than ${seconds} s. Print the PDF to a new PDF and upload that, or raise ingestion.page_timeout_ms.`;
      const reason = new AppError('timeout', sentence, page === undefined ? {} : { page });
      void this.#end(thread, reason);
    }, job.hooks.silenceMs);
  }

  #abandon(job: Job): void {
    this.#queue = this.#queue.filter((queued) => queued !== job);
    const thread = [...this.#threads].find((each) => each.job === job);
    if (thread === undefined) job.reject(job.hooks.signal.reason);
    else void this.#end(thread, job.hooks.signal.reason);
  }

  async #end(thread: Thread, reason: unknown): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.watchdog);
    const { job } = thread;
    thread.job = undefined;
    // The caller hears of it once the thread is gone: then nothing of the file is held any more.
    await thread.worker.terminate();
    job?.reject(reason);
    if (!this.#closed) this.#dispatch();
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason), { cause: reason });
}
