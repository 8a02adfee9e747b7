import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { sqliteTrouble, tooFewFiles } from '../db/sqlite-trouble.js';
import { AppError, messageOf } from '../errors.js';
import { packageVersion } from '../package-root.js';

/**
 * Converts an error of the file system or SQLite that the machine caused, rather than a bug. `no_space`: a full disk or
 * quota. `usage`: missing permissions, too few open files, or a current or temporary folder that does not exist. `invalid_config`: a
 * native package that can't be loaded. Undefined for any other error. The message names the operation, because any
 * command can meet these errors.
 */
export function fileTrouble(error: unknown): AppError | undefined {
  if (!(error instanceof Error) || error instanceof AppError) return undefined;
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  const trouble = sqliteTrouble(error);
  if (trouble !== undefined) return trouble;
  if (/^(?:ENOSPC|EDQUOT|EFBIG)$/.test(code)) {
    const sentence = `The disk is full (${messageOf(error)}). Free some space, or use a folder on a larger disk.`;
    return new AppError('no_space', sentence, { cause: error });
  }
  if (code === 'EROFS') {
    const sentence = `The file system is read-only (${messageOf(error)}). Use another folder, or mount it for writing.`;
    return new AppError('usage', sentence, { cause: error });
  }
  if (/^(?:EACCES|EPERM)$/.test(code)) {
    const sentence = `This user lacks the permission (${messageOf(error)}). Use another folder, or change the permissions.`;
    return new AppError('usage', sentence, { cause: error });
  }
  if (/^(?:ENOENT|ENOTDIR)$/.test(code) && path?.startsWith(tmpdir()) === true) {
    const isFolder = statSync(tmpdir(), { throwIfNoEntry: false })?.isDirectory() === true;
    if (isFolder) return undefined;
    const sentence = `There is no folder ${tmpdir()} for temporary files. Create it, or set TMPDIR to another folder.`;
    return new AppError('usage', sentence, { cause: error });
  }
  if (/^(?:EMFILE|ENFILE)$/.test(code)) {
    return tooFewFiles(error);
  }
  const lacking = lackingModule(error.message, code);
  if (lacking !== undefined) {
    const sentence = `A part of the program is missing, or was built for another Node or machine (${lacking}). Install it again, from the package with: npm install --global --allow-scripts=sqlite3 ./assistant-${packageVersion()}.tgz, or in the sources with: npm ci. Where that fails, install a compiler first (Debian: apt-get install build-essential python3).`;
    return new AppError('invalid_config', sentence, { cause: error });
  }
  if (syscall === 'uv_cwd') {
    const sentence = 'The current folder no longer exists. Change to an existing folder.';
    return new AppError('usage', sentence, { cause: error });
  }
  return undefined;
}

/** The native package that could not be loaded, if the error reports one. Knex wraps the error's text. */
function lackingModule(message: string, code: string): string | undefined {
  if (/npm install sqlite3|node_sqlite3\.node/.test(message)) return 'sqlite3';
  if (!/Cannot find native binding/.test(message) && code !== 'ERR_DLOPEN_FAILED') return undefined;
  return /@[\w-]+\/[\w-]+/.exec(message)?.[0] ?? '@node-rs/argon2';
}
