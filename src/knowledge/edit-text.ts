import { readFile } from 'node:fs/promises';
import { editInEditor } from '../platform/cli/editor.js';
import { AppError, messageOf } from '../platform/errors.js';
import type { Entry } from './entry.js';

/**
 * Title and text of an entry as somebody changes them in an editor, where the first line is the title, given to
 * `store`; what that answers, or undefined when they are as they were. Refuses with `cancelled` what leaves no title or
 * no text, besides what the editor and `store` do; what was written is kept in a file then.
 */
export async function editText<T>(
  entry: Pick<Entry, 'title' | 'content'>,
  store: (text: { title: string; content: string }) => Promise<T>,
): Promise<T | undefined> {
  const before = withUnixEnds(`${entry.title.replaceAll(/\s+/g, ' ')}\n\n${entry.content}\n`);
  return editInEditor(before, async (edited) => {
    const after = withUnixEnds(edited);
    if (after.trim() === before.trim()) return undefined;
    const [title = '', ...rest] = after.trim().split('\n');
    const content = rest.join('\n').trim();
    if (title.trim() !== '' && content !== '') return store({ title: title.trim(), content });
    throw new AppError('cancelled', 'A title and a text are needed: what you wrote was not taken.');
  });
}

function withUnixEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The text of the file that --file names. Refuses with `not_found` one that can't be read. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new AppError('not_found', `--file: ${file} can't be read (${messageOf(error)}).`);
  }
}
