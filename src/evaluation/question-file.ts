import { appendFile, readFile } from 'node:fs/promises';
import { AppError, messageOf } from '../platform/errors.js';

/** A set's text. Refuses with `not_found` a file that can't be read. */
export async function readQuestionFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new AppError('not_found', `${file} can't be read (${messageOf(error)}).`);
  }
}

/** A set's text; empty for a file that is yet to be made. */
export async function readQuestionFileIfAny(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw new AppError('not_found', `${file} can't be read (${messageOf(error)}).`);
  }
}

/** Writes lines behind those that are there, which stay as somebody wrote them. */
export async function appendLines(file: string, content: string, lines: string[]): Promise<void> {
  if (lines.length === 0) return;
  const start = content === '' || content.endsWith('\n') ? '' : '\n';
  try {
    await appendFile(file, `${start}${lines.join('\n')}\n`);
  } catch (error) {
    throw new AppError('not_found', `${file} can't be written (${messageOf(error)}).`);
  }
}
