import { Worker } from 'node:worker_threads';
import type { ThreadMemory } from './memory-watch.js';
import { Progress, type Task, type ThreadData, type ToThread } from './protocol.js';

export interface ThreadPoolSettings {
  /** As many more are started for small files while these are busy with large files, or with a page that takes long. */
  workers: number;
  /** Heap and buffers of each thread in MB. A thread that exceeds it is ended; nothing else is affected. */
  workerMemoryMb: number;
}

/** With the file of the threads' program. */
export type PoolSettings = ThreadPoolSettings & { program: URL };

export interface TaskHooks {
  /** The longest time without a finished page or a message, in milliseconds. */
  silenceMs: number;
  /** Called for each page that has been read, at the next look at the thread's progress. */
  onPage?: () => void;
  /** All tasks of a file have the same signal. */
  signal: AbortSignal;
  /** Run while no other file is read, so that its memory can't be taken for another's. */
  alone?: boolean;
}

/** Room for the short-lived objects of a page. With more, a thread grows for thousands of files and is no faster. */
const nurseryMb = 32;
/** The memory of a thread before it has read anything: the program, and room for short-lived objects. */
export const overheadMb = nurseryMb + 32;
/**
 * The distance of V8's own limit above ours. V8 would end the whole process when a single allocation (at most 1 GB)
 * exceeds its limit, so the thread must be ended before.
 */
const heapBeyondMb = 4096;
/** A task, with who waits for it. */
export interface Job {
  id: number;
  task: Task;
  hooks: TaskHooks;
  resolve: (result: never) => void;
  reject: (reason: unknown) => void;
}

/** A thread, and what the pool knows of it. */
export interface Thread extends ThreadMemory {
  worker: Worker;
  /** 1 when the thread must end: it then creates no more zlib streams. */
  ending: Int32Array;
  progress: Progress;
  job: Job | undefined;
  watchdog: NodeJS.Timeout | undefined;
  /** What the pool has taken from `progress` for the present job. */
  finished: number;
  read: number;
}

/** The present page of a thread, if its task has pages. */
export function pageOf({ job, finished }: Thread): { page?: number } {
  if (job?.task.kind === 'recognize') return { page: job.task.page };
  return job?.task.kind === 'read' ? { page: job.task.from + finished } : {};
}

/** The bytes that a task has to read. */
export function sizeOf(task: Task): number {
  if (task.kind !== 'assemble') return task.bytes.byteLength;
  return task.pages.reduce((sum, part) => sum + part.byteLength, 0);
}

/** Starts a thread with its limits; it has no job yet. */
export function startThread({ program, workerMemoryMb }: PoolSettings): Thread {
  const ending = new Int32Array(new SharedArrayBuffer(4));
  const progress = new Progress();
  const worker = new Worker(program, {
    name: 'documents',
    workerData: { ending, progress: progress.cells } satisfies ThreadData,
    // Options of a program that was given as text, say, hold for no file.
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: workerMemoryMb + heapBeyondMb,
      maxYoungGenerationSizeMb: nurseryMb,
    },
  });
  return {
    worker,
    ending,
    progress,
    job: undefined,
    watchdog: undefined,
    finished: 0,
    read: 0,
    busy: false,
    reported: 0,
    atStart: 0,
    lastSign: 0,
  };
}

export function send(thread: Thread, message: ToThread): void {
  // Page buffers for the assembling thread are moved, not copied.
  const moved =
    message.kind === 'task' && message.task.kind === 'assemble'
      ? [...message.task.pages, message.task.outline].flatMap((part) =>
          part.buffer instanceof ArrayBuffer ? [part.buffer] : [],
        )
      : [];
  thread.worker.postMessage(message, moved);
}
