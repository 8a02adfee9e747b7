import { sqliteTrouble } from '../db/sqlite-trouble.js';
import { AppError, messageOf } from '../errors.js';

/**
 * The refusal that an error of the file system or of SQLite stands for, where the trouble is this machine's and no bug
 * of ours: what sqliteTrouble says, `no_space` for a full disk (or a quota), `usage` for what this user may not do there, and for a folder that
 * was removed while the shell stood in it. Undefined for all else. What went wrong is named in the sentence, since any
 * command can come by it.
 */
export function fileTrouble(error: unknown): AppError | undefined {
  if (!(error instanceof Error) || error instanceof AppError) return undefined;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const trouble = sqliteTrouble(error);
  if (trouble !== undefined) return trouble;
  if (/^(?:ENOSPC|EDQUOT|EFBIG)$/.test(code)) {
    const sentence = `The disk is full (${messageOf(error)}). Free some space, or use a folder on a larger disk.`;
    return new AppError('no_space', sentence, { cause: error });
  }
  if (/^(?:EACCES|EPERM|EROFS)$/.test(code)) {
    const sentence = `This user may not do that (${messageOf(error)}). Use another place, or change its rights.`;
    return new AppError('usage', sentence, { cause: error });
  }
  if (syscall === 'uv_cwd') {
    const sentence = 'The folder that you are in is gone. Go to one that there is.';
    return new AppError('usage', sentence, { cause: error });
  }
  return undefined;
}
