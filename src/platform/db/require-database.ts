import { accessSync, existsSync } from 'node:fs';
import { plainAddress } from '../config/secret-settings.js';
import type { Config } from '../config/schema.js';
import { AppError, messageOf } from '../errors.js';

type Place = Pick<Config['database'], 'url' | 'path'>;

/** What people know the database by: its address without a password, or its file. */
export function nameOfDatabase({ url, path }: Place): string {
  return url === null ? path : plainAddress(url);
}

/** False when opening the database would create it. A database of PostgreSQL is made before it is configured. */
export function databaseExists({ url, path }: Place): boolean {
  return url !== null || existsSync(path);
}

/**
 * Errors: `not_found` when the database file does not exist: opening it would create one, and a command in the wrong
 * folder must not leave an empty installation there; `usage` when this user may not read the folder.
 */
export function requireDatabase({ url, path }: Place): void {
  if (url !== null) return;
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
