import { closeSync, openSync, statfsSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname } from 'node:path';
import { AppError, type ErrorCode, messageOf } from '../errors.js';

/** Errors of the database file or its disk. While one lasts, nothing can be stored. */
const troubles = new Set<ErrorCode>(['no_space', 'database_readonly', 'database_damaged']);

/** True when the database accepts no writes until an operator repairs the machine. */
export function isStorageTrouble(error: unknown): error is AppError {
  return error instanceof AppError && troubles.has(error.code);
}

export function fullDisk(cause: unknown): AppError {
  const sentence =
    'The disk of the database is full. Free some space there (assistant doctor names the folder), or move database.path to a larger disk.';
  return new AppError('no_space', sentence, { cause });
}

export function busyDatabase(cause: unknown): AppError {
  const sentence =
    'Another program has locked the database for too long. Wait until that program has finished, or end it, and try again.';
  return new AppError('database_busy', sentence, { cause, retryAfterSeconds: 1 });
}

/** The files that SQLite opens for a connection and for its log, and some to spare. */
const filesOfDatabase = 6;

/** The error for a limit that leaves no room for so many more open files. */
export function openFilesTrouble(wanted: number): AppError | undefined {
  const opened: number[] = [];
  try {
    while (opened.length < wanted) opened.push(openSync(devNull, 'r'));
    return undefined;
  } catch (error) {
    return tooFewFiles(error);
  } finally {
    opened.forEach((file) => closeSync(file));
  }
}

export function tooFewFiles(cause: unknown): AppError {
  const sentence = `Too few files may be open at once (${messageOf(cause)}). Raise the limit: ulimit -n 1024, or LimitNOFILE= for a service.`;
  return new AppError('usage', sentence, { cause });
}

/**
 * Converts an error of SQLite that its file or disk caused, to `no_space`, `database_damaged` or `database_readonly`, or `usage` for
 * too few open files; `database_busy` when another process kept it locked for too long.
 * Undefined for any other error. With `file`, the message names it, and a full disk is found by its free space too.
 */
export function sqliteTrouble(error: unknown, file?: string): AppError | undefined {
  if (!(error instanceof Error) || error instanceof AppError) return undefined;
  // knex writes the whole statement before it.
  const said = /SQLITE_\w+: .*/.exec(error.message)?.[0] ?? '';
  const refusal = (code: ErrorCode, sentence: string) =>
    new AppError(code, sentence, { cause: error });
  if (said.startsWith('SQLITE_FULL')) return fullDisk(error);
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(said)) return busyDatabase(error);
  if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(said)) {
    const sentence = `The database${file === undefined ? '' : ` ${file}`} is damaged (${said}). Check it with assistant doctor, and restore the last backup (assistant restore <file>).`;
    return refusal('database_damaged', sentence);
  }
  if (/^SQLITE_(?:READONLY|IOERR|CANTOPEN)/.test(said)) {
    // SQLite does not tell the limit of open files from missing rights.
    const few = said.startsWith('SQLITE_CANTOPEN') ? openFilesTrouble(filesOfDatabase) : undefined;
    if (few !== undefined) return few;
    // Without room for its shared memory, SQLite says "disk I/O error".
    if (!said.startsWith('SQLITE_READONLY') && file !== undefined && isDiskFull(file)) {
      return fullDisk(error);
    }
    const sentence = `The database can’t be written (${said}). Check the rights on its file and folder, and the space on its disk (assistant doctor).`;
    return refusal('database_readonly', sentence);
  }
  return undefined;
}

/** The size of the shared memory that SQLite makes beside a database, in bytes. */
const sharedMemory = 32 * 1024;

/** True when the disk of a database file has no room for its shared memory. */
export function isDiskFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize < sharedMemory;
  } catch {
    return false;
  }
}
