import { readFile } from 'node:fs/promises';
import { editInEditor } from '../platform/cli/editor.js';
import { AppError, messageOf } from '../platform/errors.js';
import type { Entry } from './entry.js';

/**
 * Opens an entry's title (first line) and text in an editor and passes the changed ones to `store`. Returns its result,
 * or undefined when nothing changed. Refuses with `cancelled` an empty title or text, and as the editor and `store` do;
 * the edited text is then kept in a file.
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

/** The text of the file that --file names. Refuses with `not_found` an unreadable file. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new AppError('not_found', `--file: ${file} can't be read (${messageOf(error)}).`);
  }
}
