import { readFile } from 'node:fs/promises';
import { AppError, messageOf } from '../platform/errors.js';

/** The text of the file that --file names. Refuses with `not_found` one that can't be read. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new AppError('not_found', `--file: ${file} can't be read (${messageOf(error)}).`);
  }
}
