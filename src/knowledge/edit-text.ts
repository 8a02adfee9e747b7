import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, messageOf } from '../platform/errors.js';
import { readNamedFile } from '../platform/named-file.js';
import type { Entry } from './entry.js';

/**
 * Opens an entry's title (first line) and text in an editor and passes the changed ones to `store`. Returns its result,
 * or undefined when nothing changed. Errors: `cancelled` for an empty title or text, and as the editor and `store` do;
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
    throw new AppError('cancelled', 'A title and a text are needed. Nothing was saved.');
  });
}

function withUnixEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The text of the file that --file names. Errors: `not_found` for an unreadable file. */
export async function readText(file: string): Promise<string> {
  try {
    return (await readNamedFile(file)).toString('utf8');
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('not_found', `--file: ${file} can't be read (${messageOf(error)}).`);
  }
}

/**
 * Opens a text in the editor that VISUAL or EDITOR names (default: vi) and returns what `take` makes of the result. The
 * text is in a file inside a folder that only its owner can enter; the folder is deleted afterwards. If `take` refuses
 * the changed text, the file stays and the error names it. Errors: `cancelled` when the editor cannot start or exits
 * with an error, as `:cq` does.
 */
async function editInEditor<T>(text: string, take: (edited: string) => Promise<T>): Promise<T> {
  const { VISUAL: visual = '', EDITOR: plain = '' } = process.env;
  const editor = [visual, plain, 'vi'].find((name) => name.trim() !== '') ?? 'vi';
  const folder = await mkdtemp(join(tmpdir(), 'assistant-edit-'));
  const file = join(folder, 'entry.md');
  const discard = () => rm(folder, { recursive: true, force: true });
  let edited = '';
  try {
    await writeFile(file, text, { mode: 0o600 });
    await runEditor(editor, file);
    edited = await readFile(file, 'utf8');
    const taken = await take(edited);
    await discard();
    return taken;
  } catch (error) {
    if (!(error instanceof AppError) || edited.trim() === '' || edited === text) {
      await discard();
      throw error;
    }
    const { code, message, problems } = error;
    throw new AppError(code, `${message} What you wrote is kept in ${file}`, {
      cause: error,
      ...(problems === undefined ? {} : { problems }),
    });
  }
}

/** EDITOR may contain arguments (`code --wait`), so a shell runs it. The file name is quoted. */
async function runEditor(editor: string, file: string): Promise<void> {
  const isWindows = process.platform === 'win32';
  const [command, args] = isWindows
    ? [`${editor} "${file}"`, []]
    : ['sh', ['-c', `${editor} "$1"`, 'sh', file]];
  // Standard output is for the command's result and may be a file. The editor uses standard error, like prompts.
  const child = spawn(command, args, { stdio: ['inherit', 2, 2], shell: isWindows });
  const ended = (await once(child, 'close').catch((error: unknown) => [messageOf(error)])) as [
    number | string | null,
  ];
  if (ended[0] === 0) return;
  const sentence = `The editor (${editor}) ended with ${String(ended[0])}, so nothing was saved. Set EDITOR to use another editor.`;
  throw new AppError('cancelled', sentence);
}
