import { AppError } from '../../platform/errors.js';
import { NotUnderstood } from '../../pdf/reader/syntax/objects.js';
import { pageOf, type Job, type Thread } from './pool-thread.js';

export function outOfMemory(thread: Thread, cause?: unknown): AppError {
  return new AppError(
    'out_of_memory',
    'The file needs more memory than one thread may use. Split it, or raise ingestion.thread_memory_mb.',
    { cause, ...pageOf(thread) },
  );
}

export function suspected(): AppError {
  return new AppError(
    'internal',
    'The files that were read at the same time needed too much memory. Try this file again alone.',
  );
}

export function explainDeath(thread: Thread, error: unknown): AppError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory(thread, error);
  return new AppError('internal', 'The thread that read the file ended unexpectedly. Try again.', {
    cause: error,
  });
}

export function tooSlow(thread: Thread, { task, hooks }: Job): AppError {
  const { page } = pageOf(thread);
  const seconds = Math.round(hooks.silenceMs / 100) / 10;
  const where = page === undefined ? 'A step of reading the file' : `Page ${page}`;
  const advice =
    task.kind === 'document'
      ? 'Split it into smaller files, or raise ingestion.file_timeout_ms.'
      : 'Print the PDF to a new PDF and upload that, or raise ingestion.page_timeout_ms.';
  return new AppError(
    'timeout',
    `${where} took longer than ${seconds} s. ${advice}`,
    pageOf(thread),
  );
}

/** True when a reader refused the file for what is in it, and not for its time or memory. */
export function isRefusal(reason: unknown): boolean {
  if (reason instanceof NotUnderstood) return true;
  return reason instanceof AppError && (reason.code === 'damaged' || reason.code === 'encrypted');
}

export function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason), { cause: reason });
}
