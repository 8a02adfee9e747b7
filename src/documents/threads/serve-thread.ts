import { parentPort, workerData } from 'node:worker_threads';
import { getHeapStatistics } from 'node:v8';
import { AppError, codeOf, messageOf } from '../../platform/errors.js';
import { lowerThreadPriority } from '../../platform/workers/lower-thread-priority.js';
import { isNotUnderstood } from '../../pdf/reader/open-pdf.js';
import {
  Progress,
  type FromThread,
  type Task,
  type TaskResult,
  type ThreadData,
  type ToThread,
} from './protocol.js';

/** What a thread does for the pool. */
export interface ThreadWork {
  run(task: Task): Promise<TaskResult>;
  forget(file: number): Promise<void>;
}

type Unmeasured = FromThread extends infer Message
  ? Message extends FromThread
    ? Omit<Message, 'memory'>
    : never
  : never;

function buffersOf(result: TaskResult): ArrayBuffer[] {
  const parts =
    'pages' in result
      ? [result.pages]
      : 'outline' in result
        ? [result.outline]
        : 'batches' in result
          ? result.batches
          : [];
  return parts.flatMap((part) => (part.buffer instanceof ArrayBuffer ? [part.buffer] : []));
}

/**
 * Serves the pool that started this thread. Outside of a thread it does nothing.
 * @param begin makes the work; `onPage` tells the pool that a page is done
 */
export function serveThread(begin: (onPage: (isRead: boolean) => void) => ThreadWork): void {
  const port = parentPort;
  if (port === null) return;
  lowerThreadPriority();
  const progress = new Progress((workerData as ThreadData).progress);
  const measure = () => {
    const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics();
    return heap + buffers;
  };
  const send = (message: Unmeasured, transfer: ArrayBuffer[] = []) =>
    port.postMessage({ ...message, memory: measure() } satisfies FromThread, transfer);
  // pdf.js leaves rejected promises of damaged objects behind. They must not end the thread.
  process.on('unhandledRejection', () => undefined);
  const work = begin((isRead) => progress.addPage(isRead, measure()));
  port.on('message', (message: ToThread) => {
    if (message.kind === 'forget') {
      void work.forget(message.file);
      return;
    }
    const { id, task } = message;
    work.run(task).then(
      (result) => send({ kind: 'done', id, result }, buffersOf(result)),
      (error: unknown) => {
        const page = error instanceof AppError ? error.page : undefined;
        const understood = task.kind === 'assemble' || !isNotUnderstood(error);
        const message = messageOf(error);
        send({ kind: 'failed', id, code: codeOf(error), message, page, understood });
      },
    );
  });
}
