import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import { AppError } from '../../platform/errors.js';
import { NotUnderstood } from '../../pdf/reader/syntax/objects.js';
import { MemoryWatch } from './memory-watch.js';
import { FairQueue } from './fair-queue.js';
import type { FromThread, Task, TaskResults } from './protocol.js';
import {
  overheadMb,
  send,
  sizeOf,
  startThread,
  type Job,
  type PoolSettings,
  type TaskHooks,
  type Thread,
} from './pool-thread.js';
import {
  explainDeath,
  isRefusal,
  outOfMemory,
  suspected,
  toError,
  tooSlow,
} from './thread-errors.js';

/** V8 also ends the process when one array exceeds 1 GB, which takes at least a third of a second. */
const sampleMs = 50;
/** Enough for a thread to finish creating a zlib stream, which it must not be terminated in. */
const creationMs = 20;
/** A thread deep in native code ends later; its caller does not wait longer. */
const terminateMs = 2000;

/** A thread without a sign for so long is busy with one page that takes long. */
const stuckMs = 500;
/**
 * In bytes, large enough for most manuals: what further threads take while others are busy with larger files. It goes
 * for files, and for the laid-out pages of one.
 */
export const smallFile = 2_000_000;

/**
 * Threads that read documents, started when first needed and ended by close(). A thread runs one task at a time, so that
 * ending it (the only way to stop it within a page) affects no other file.
 */
export class ThreadPool {
  readonly #threads = new Set<Thread>();
  readonly #queue = new FairQueue<Job>(({ task }) => ('file' in task ? task.file : undefined));
  #nextId = 1;
  #files = 0;
  #closed = false;
  readonly #memory: MemoryWatch;
  #sampling: NodeJS.Timeout | undefined;
  /** Threads that are being ended and still have their memory. */
  #ending = 0;

  constructor(readonly settings: PoolSettings) {
    this.#memory = new MemoryWatch((settings.workerMemoryMb + overheadMb) * 1024 * 1024);
  }

  /**
   * Runs one task. Rejects with the signal's reason when aborted, with timeout when the thread sends no message in
   * time, and with out_of_memory or internal when it dies. In each case the thread is ended. Rejects with NotUnderstood
   * when another reader may succeed.
   */
  run<Kind extends Task['kind']>(
    task: Extract<Task, { kind: Kind }>,
    hooks: TaskHooks,
  ): Promise<TaskResults[Kind]> {
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

  /** A number for a file, by which the threads tell it from others. */
  newFile(): number {
    return ++this.#files;
  }

  /** Makes every thread drop its data of a file. */
  forget(file: number): void {
    for (const thread of this.#threads) send(thread, { kind: 'forget', file });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const stopping = new AppError(
      'shutting_down',
      'The service is stopping. Upload the file again later.',
    );
    for (const job of this.#queue.clear()) job.reject(stopping);
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, stopping)));
  }

  #dispatch(): void {
    for (;;) {
      const job = this.#takeJob();
      if (job === undefined) return;
      const thread = this.#idle(job) ?? this.#start();
      this.#sample();
      thread.job = job;
      thread.busy = true;
      thread.progress.clear();
      thread.finished = 0;
      thread.read = 0;
      thread.lastSign = performance.now();
      thread.worker.ref();
      this.#watch(thread);
      send(thread, { kind: 'task', id: job.id, task: job.task });
    }
  }

  /** A thread without work. One that holds much of a file is ended before another one, which could not be told from it. */
  #idle({ task }: Job): Thread | undefined {
    const isFirst = task.kind === 'document' || task.kind === 'open';
    for (const thread of this.#threads) {
      if (thread.job !== undefined) continue;
      if (!isFirst || thread.reported <= this.#memory.limit / 2) return thread;
      void this.#end(thread, undefined);
    }
    return undefined;
  }

  /** Takes the next job out of the queue, if a thread may run it now. */
  #takeJob(): Job | undefined {
    const { first } = this.#queue;
    const running = this.#running();
    if (first === undefined || running.some(({ hooks }) => hooks.alone === true)) return undefined;
    if (running.length < this.settings.workers) {
      return first.hooks.alone === true && running.length > 0 ? undefined : this.#queue.shift();
    }
    // For each thread that is busy with a large file, or long with one page, one more takes small files.
    if (
      running.length >=
      this.settings.workers + Math.min(this.#countSlow(), this.settings.workers)
    )
      return undefined;
    return this.#queue.shift(
      ({ task, hooks }) =>
        sizeOf(task) <= smallFile &&
        hooks.alone !== true &&
        running.every((other) => other.hooks.signal !== hooks.signal),
    );
  }

  /** The number of threads that keep small files waiting. */
  #countSlow(): number {
    const stuckSince = performance.now() - stuckMs;
    return [...this.#threads].filter(
      ({ job, lastSign }) =>
        job !== undefined && (sizeOf(job.task) > smallFile || lastSign < stuckSince),
    ).length;
  }

  #running(): Job[] {
    return [...this.#threads].flatMap(({ job }) => job ?? []);
  }

  #start(): Thread {
    const thread = startThread(this.settings);
    const { worker } = thread;
    worker.on('message', (message: FromThread) => this.#receive(thread, message));
    worker.on('error', (error) => void this.#end(thread, explainDeath(thread, error)));
    worker.on('exit', () => void this.#end(thread, explainDeath(thread, undefined)));
    this.#threads.add(thread);
    return thread;
  }

  #receive(thread: Thread, message: FromThread): void {
    const { job } = thread;
    if (job?.id !== message.id) return;
    this.#look(thread);
    // The file was given up when it was told of its last pages.
    if (thread.job !== job) return;
    thread.reported = message.memory;
    thread.lastSign = performance.now();
    clearTimeout(thread.watchdog);
    this.#release(thread);
    if (message.kind === 'done') job.resolve(message.result as never);
    else {
      const options = message.page === undefined ? {} : { page: message.page };
      const error = new AppError(message.code, message.message, options);
      job.reject(message.understood ? error : new NotUnderstood(message.message));
    }
    this.#dispatch();
  }

  /** Takes over what the thread has finished since the last look. Returns false where that is nothing. */
  #look(thread: Thread): boolean {
    const { job } = thread;
    const { finished, read, memory } = thread.progress.load();
    if (job === undefined || finished === thread.finished) return false;
    thread.finished = finished;
    thread.reported = memory;
    thread.lastSign = performance.now();
    this.#watch(thread);
    // A hook may give the file up.
    for (; thread.read < read && thread.job === job; thread.read++) job.hooks.onPage?.();
    return true;
  }

  #watch(thread: Thread): void {
    clearTimeout(thread.watchdog);
    const { job } = thread;
    if (job === undefined) return;
    thread.watchdog = setTimeout(() => {
      if (this.#look(thread)) return;
      void this.#end(thread, tooSlow(thread, job));
    }, job.hooks.silenceMs);
  }

  /** Samples progress and memory while threads work, and ends a thread that takes too much. */
  #sample(): void {
    if (this.#sampling !== undefined) return;
    this.#memory.begin(this.#threads);
    this.#sampling = setInterval(() => {
      for (const thread of this.#threads) this.#look(thread);
      this.#endOverdrawn();
      // By now, all threads may be stuck.
      this.#dispatch();
    }, sampleMs);
    this.#sampling.unref();
  }

  /**
   * Ends the thread that takes too much. The process is measured, not the thread, so with several files under way the
   * choice is a guess. The file then gets an error after which it is tried again.
   */
  #endOverdrawn(): void {
    // A thread that is being ended may take more until it is gone. No other one is blamed for that.
    if (this.#ending > 0) return;
    const found = this.#memory.findOverdrawn(this.#threads, performance.now());
    if (found === undefined) return;
    const { thread, isReported } = found;
    const isSure = isReported || !this.#readsOther(thread.job);
    void this.#end(thread, isSure ? outOfMemory(thread) : suspected());
  }

  /** True while a thread reads another file than the job's. */
  #readsOther(job: Job | undefined): boolean {
    return this.#running().some((other) => other.hooks.signal !== job?.hooks.signal);
  }

  #release(thread: Thread): void {
    thread.job = undefined;
    thread.busy = false;
    if ([...this.#threads].some((each) => each.busy)) return;
    clearInterval(this.#sampling);
    this.#sampling = undefined;
    for (const spare of [...this.#threads].slice(this.settings.workers)) {
      void this.#end(spare, undefined);
    }
  }

  #abandon(job: Job): void {
    this.#queue.remove(job);
    const thread = [...this.#threads].find((each) => each.job === job);
    const reason: unknown = job.hooks.signal.reason;
    // A thread that still opens a file which another one refused ends by itself, and is warm for the next file.
    const endsItself = job.task.kind === 'open' && isRefusal(reason);
    if (thread === undefined || endsItself) job.reject(reason);
    else void this.#end(thread, reason);
  }

  async #end(thread: Thread, reason: unknown): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.watchdog);
    const { job } = thread;
    this.#release(thread);
    // Rejects once the thread is gone: then no memory of the file remains.
    Atomics.store(thread.ending, 0, 1);
    this.#ending++;
    if (job !== undefined) await setTimeoutAsync(creationMs);
    const late = new AbortController();
    await Promise.race([
      thread.worker.terminate(),
      setTimeoutAsync(terminateMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
    this.#ending--;
    this.#memory.ended(thread, this.#threads, performance.now());
    job?.reject(reason);
    if (!this.#closed) this.#dispatch();
  }
}
