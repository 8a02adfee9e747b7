import type { Database } from 'sqlite3';
import { AppError } from '../errors.js';
import { sqliteTrouble } from './sqlite-trouble.js';

/** Missing in the package's types: SQLite's own copying of one database over another. */
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
   * Replaces this database's content with another's, in one SQLite transaction: a crash leaves the old or the new
   * content. Reports the progress as a share from 0 to 1.
   */
  overwriteWith(
    source: string,
    options?: { signal?: AbortSignal; onProgress?: (share: number) => void },
  ): Promise<void>;
  close(): Promise<void>;
}

/** Time that other processes have to release the database, in milliseconds: a command may just be ending. */
const patienceMs = 2000;
/** Pages per step. The copy can be stopped between two steps. */
const pagesPerStep = 2000;

/**
 * Makes a consistent copy of the last committed state, without deleted data. The database may be in use. Errors: as
 * sqliteTrouble.
 */
export async function copySqlite(file: string, copy: string, signal?: AbortSignal): Promise<void> {
  const source = await openHandle(file);
  try {
    await execute(source, 'pragma busy_timeout = 10000');
    await copyInto(source, copy, signal);
  } catch (error) {
    throw sqliteTrouble(error, file) ?? error;
  } finally {
    await closeHandle(source);
  }
}

/**
 * Opens a database exclusively. In WAL mode every other process holds a shared lock on the file, and leaving WAL mode
 * needs the only lock. Errors: `conflict` when another process has the database open, and as
 * sqliteTrouble.
 */
export async function holdSqlite(file: string): Promise<HeldDatabase> {
  const handle = await openHandle(file);
  try {
    await execute(handle, `pragma busy_timeout = ${patienceMs}`);
    await execute(handle, 'pragma synchronous = full');
    await execute(handle, 'pragma locking_mode = exclusive');
    // Moves the log's content into the file, so that no old state remains beside the new one.
    await execute(handle, 'pragma journal_mode = delete');
    await execute(handle, 'begin exclusive');
    await execute(handle, 'commit');
  } catch (error) {
    await closeHandle(handle);
    if (!isBusy(error)) throw sqliteTrouble(error, file) ?? error;
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
  // Nobody else has either database open, so no failure is temporary.
  overwriting.retryErrors = [];
  try {
    while (!overwriting.completed) {
      signal?.throwIfAborted();
      await told((done) => overwriting.step(pagesPerStep, done));
      onProgress?.(1 - overwriting.remaining / Math.max(1, overwriting.pageCount));
    }
  } finally {
    // Undoes an incomplete copy.
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
