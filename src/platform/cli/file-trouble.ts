import { AppError, messageOf } from '../errors.js';

/**
 * Converts an error of the file system or SQLite that the machine caused, rather than a bug. `no_space`: a full disk or
 * quota. `usage`: missing permissions, or a current folder that was removed. Undefined for any other error. The message
 * names the operation, because any command can meet these errors.
 */
export function fileTrouble(error: unknown): AppError | undefined {
  if (!(error instanceof Error) || error instanceof AppError) return undefined;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (/^(?:ENOSPC|EDQUOT|EFBIG)$/.test(code) || /SQLITE_FULL/.test(error.message)) {
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
