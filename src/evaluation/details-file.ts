import { open, stat, writeFile } from 'node:fs/promises';
import { AppError, messageOf } from '../platform/errors.js';
import type { QuestionResult } from './eval-question.js';
import { presentResult } from './present-evaluation.js';

/**
 * Checks a file for results before the work, which may take an hour. Errors: `usage` for the set itself under any name;
 * `not_found` for an unwritable file. Does not change the file.
 */
export async function checkDetailsFile(file: string, set: string): Promise<void> {
  if (await isSame(file, set)) {
    const sentence = `--details: ${file} is the set of questions itself. Name another file.`;
    throw new AppError('usage', sentence);
  }
  try {
    await (await open(file, 'a')).close();
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Writes the result for each question as JSON lines, replacing the file. */
export async function writeDetails(file: string, results: QuestionResult[]): Promise<void> {
  const lines = results.map((result) => `${JSON.stringify(presentResult(result))}\n`);
  try {
    await writeFile(file, lines.join(''));
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** True when both names lead to one file, e.g. by links or other spellings. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([identityOf(one), identityOf(other)]);
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

async function identityOf(file: string): Promise<{ dev: bigint; ino: bigint } | undefined> {
  try {
    return await stat(file, { bigint: true });
  } catch {
    // A missing file can't be another name of the set. An unreachable one is refused when it is opened.
    return undefined;
  }
}

function unwritable(file: string, error: unknown): AppError {
  return new AppError('not_found', `--details: ${file} can't be written (${messageOf(error)}).`);
}
