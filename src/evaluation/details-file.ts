import { open, stat, writeFile } from 'node:fs/promises';
import { AppError, messageOf } from '../platform/errors.js';
import type { QuestionResult } from './eval-question.js';
import { presentResult } from './present-evaluation.js';

/**
 * Refuses a file that results can't be written to: with `usage` the set itself, by whatever name; with `not_found`
 * one that can't be written. Before the work, which may take an hour; it changes nothing of what stands in the file.
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

/** Writes what became of each question, in JSON lines, in place of what stood there. */
export async function writeDetails(file: string, results: QuestionResult[]): Promise<void> {
  const lines = results.map((result) => `${JSON.stringify(presentResult(result))}\n`);
  try {
    await writeFile(file, lines.join(''));
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Whether both names lead to one file: links and other spellings do. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([identityOf(one), identityOf(other)]);
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

async function identityOf(file: string): Promise<{ dev: bigint; ino: bigint } | undefined> {
  try {
    return await stat(file, { bigint: true });
  } catch {
    // What is not there is no other file's name; what can't be reached is refused when it is opened.
    return undefined;
  }
}

function unwritable(file: string, error: unknown): AppError {
  return new AppError('not_found', `--details: ${file} can't be written (${messageOf(error)}).`);
}
