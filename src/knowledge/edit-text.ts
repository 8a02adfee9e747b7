import { editInEditor } from '../platform/cli/editor.js';
import { AppError } from '../platform/errors.js';
import type { Entry } from './entry.js';

/**
 * Title and text of an entry as somebody has changed them in an editor, where the first line is the title; undefined
 * when they are as they were. Refuses with `cancelled` what leaves no title or no text, besides what the editor does.
 */
export async function editText(
  entry: Pick<Entry, 'title' | 'content'>,
): Promise<{ title: string; content: string } | undefined> {
  const before = `${entry.title}\n\n${entry.content}\n`;
  const after = (await editInEditor(before)).replaceAll('\r\n', '\n');
  if (after.trim() === before.trim()) return undefined;
  const [title = '', ...rest] = after.trim().split('\n');
  const content = rest.join('\n').trim();
  if (title.trim() !== '' && content !== '') return { title: title.trim(), content };
  throw new AppError('cancelled', 'A title and a text are needed: what you wrote was not taken.');
}
