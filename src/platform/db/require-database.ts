import { accessSync } from 'node:fs';
import { AppError, messageOf } from '../errors.js';

/**
 * Errors: `not_found` when the database file does not exist: opening it would create one, and a command in the wrong
 * folder must not leave an empty installation there; `usage` when this user may not read the folder.
 */
export function requireDatabase(path: string): void {
  try {
    accessSync(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const sentence = /^(?:ENOENT|ENOTDIR)$/.test(code)
      ? `There is no database at ${path}. Set one up with: assistant init`
      : `This user can't open the database (${messageOf(error)}). Run the command as the user that the server runs as, or correct the permissions: assistant doctor`;
    const kind = /^(?:ENOENT|ENOTDIR)$/.test(code) ? 'not_found' : 'usage';
    throw new AppError(kind, sentence, { cause: error });
  }
}
