import type { Database } from 'sqlite3';
import { AppError } from '../errors.js';

/** What the package's types leave out: SQLite's own copying of one database over another. */
interface Overwriting {
  step(pages: number, done: (error: Error | null) => void): void;
  finish(done: (error: Error | null) => void): void;
  readonly completed: boolean;
  readonly remaining: number;
  readonly pageCount: number;
  retryErrors: number[];
}

interface Handle extends Database {
  backup(file: string, to: string, from: string, fileIsTarget: boolean): Overwriting;
}

/** A database that nobody else can open until it is closed. */
export interface HeldDatabase {
  /** Writes a consistent copy to a file that does not exist yet, or is empty. */
  copyTo(copy: string, signal?: AbortSignal): Promise<void>;
  /**
   * Puts another database's content in the place of this one's, in one transaction of SQLite: a crash leaves the old
   * or the new. Told how much is done as a share, 0 to 1.
   */
  overwriteWith(
    source: string,
    options?: { signal?: AbortSignal; onProgress?: (share: number) => void },
  ): Promise<void>;
  close(): Promise<void>;
}

/** How long others may take to let go of a database, in milliseconds: a command that is just ending. */
const patienceMs = 2000;
/** Pages of a step, between which it can be stopped. */
const pagesPerStep = 2000;

/** A consistent copy of a database, as it was last committed, without what was deleted. It may be in use meanwhile. */
export async function copySqlite(file: string, copy: string, signal?: AbortSignal): Promise<void> {
  const source = await openHandle(file);
  try {
    await execute(source, 'pragma busy_timeout = 10000');
    await copyInto(source, copy, signal);
  } finally {
    await closeHandle(source);
  }
}

/**
 * Opens a database so that nobody else has it. Every process that has it open keeps a shared lock on its file while it
 * uses a write-ahead log, and ending that log needs the only one. Refuses with `conflict` where another process has it.
 */
export async function holdSqlite(file: string): Promise<HeldDatabase> {
  const handle = await openHandle(file);
  try {
    await execute(handle, `pragma busy_timeout = ${patienceMs}`);
    await execute(handle, 'pragma synchronous = full');
    await execute(handle, 'pragma locking_mode = exclusive');
    // What the log holds comes into the file: nothing of the old state lies beside the new one afterwards.
    await execute(handle, 'pragma journal_mode = delete');
    await execute(handle, 'begin exclusive');
    await execute(handle, 'commit');
  } catch (error) {
    await closeHandle(handle);
    if (!isBusy(error)) throw error;
    throw new AppError(
      'conflict',
      `Another process has ${file} open. Stop assistant serve, assistant worker and every other command that uses it, then try again.`,
      { cause: error },
    );
  }
  return {
    copyTo: (copy, signal) => copyInto(handle, copy, signal),
    overwriteWith: (source, options) => overwrite(handle, source, options ?? {}),
    close: () => closeHandle(handle),
  };
}

async function copyInto(source: Handle, copy: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const stop = () => source.interrupt();
  signal?.addEventListener('abort', stop);
  try {
    await new Promise<void>((resolve, reject) => {
      source.run('vacuum into ?', [copy], (error) => (error === null ? resolve() : reject(error)));
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

async function overwrite(
  target: Handle,
  source: string,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (share: number) => void },
): Promise<void> {
  const overwriting = target.backup(source, 'main', 'main', false);
  // Nobody else has either of them: whatever fails, fails for good.
  overwriting.retryErrors = [];
  try {
    while (!overwriting.completed) {
      signal?.throwIfAborted();
      await told((done) => overwriting.step(pagesPerStep, done));
      onProgress?.(1 - overwriting.remaining / Math.max(1, overwriting.pageCount));
    }
  } finally {
    // Of what is not completed this leaves nothing.
    await told((done) => overwriting.finish(done));
  }
}

async function openHandle(file: string): Promise<Handle> {
  const { default: sqlite } = await import('sqlite3');
  return new Promise((resolve, reject) => {
    const handle = new sqlite.Database(file, sqlite.OPEN_READWRITE, (error) => {
      if (error === null) resolve(handle as Handle);
      else reject(error);
    });
  });
}

function execute(handle: Handle, sql: string): Promise<void> {
  return told((done) => handle.exec(sql, done));
}

function closeHandle(handle: Handle): Promise<void> {
  return told((done) => handle.close(done));
}

function told(call: (done: (error: Error | null | undefined) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => (error === null || error === undefined ? resolve() : reject(error)));
  });
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /SQLITE_(?:BUSY|LOCKED)/.test(error.message);
}
