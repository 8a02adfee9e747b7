import { appendFile } from 'node:fs/promises';
import { AppError, messageOf } from '../platform/errors.js';
import { readNamedFile } from '../platform/named-file.js';

/**
 * The text of a set. Errors: `not_found` for a missing file; `usage` for an unreadable one; `invalid_request` for text
 * that is not UTF-8.
 */
export async function readQuestionFile(file: string): Promise<string> {
  const content = await readIfAny(file);
  if (content === undefined) throw new AppError('not_found', `There is no file ${file}.`);
  return content;
}

/** The text of a set; empty for a missing file. */
export async function readQuestionFileIfAny(file: string): Promise<string> {
  return (await readIfAny(file)) ?? '';
}

/** Appends lines; existing lines stay unchanged. */
export async function appendLines(file: string, content: string, lines: string[]): Promise<void> {
  if (lines.length === 0) return;
  const start = content === '' || content.endsWith('\n') ? '' : '\n';
  try {
    await appendFile(file, `${start}${lines.join('\n')}\n`);
  } catch (error) {
    throw new AppError('not_found', `${file} can't be written (${messageOf(error)}).`);
  }
}

async function readIfAny(file: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readNamedFile(file);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new AppError('usage', `${file} can't be read (${messageOf(error)}).`);
  }
  // The "Unicode" of a Windows editor, and the output of PowerShell redirection.
  const isUtf16 = /^(?:fffe|feff)/.test(bytes.toString('hex', 0, 2));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const encoding = isUtf16 ? 'in UTF-16' : 'not in UTF-8';
    throw new AppError('invalid_request', `${file} is ${encoding}. Save it as UTF-8.`);
  }
}
