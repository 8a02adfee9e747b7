import { once } from 'node:events';
import { constants, createWriteStream } from 'node:fs';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { setImmediate as nextTick, setTimeout as wait } from 'node:timers/promises';
import { AppError, messageOf } from '../errors.js';
import { printable } from '../text/printable.js';
import type { ExitCode, Session } from './cli.js';
import { fileTrouble } from './file-trouble.js';
import type { Progress } from './progress.js';
import { confirm } from './prompts.js';

type Pieces = AsyncIterable<string> | Iterable<string>;

/** No other user of the machine may read drafts, internal knowledge or conversations. */
const ownerOnly = 0o600;

interface TextExport {
  /** `-` for standard output, a pipe or device, or a file. */
  target: string;
  yes: boolean | undefined;
  pieces: AsyncIterable<string>;
  progress: Progress;
  /** Afterwards: the result with --json, and what was written, e.g. `12 entries`. */
  told: () => [document: object, counted: string];
}

/**
 * Writes a long text, and reports it. A stream gets the text alone, and the report goes to standard error. Asks before
 * it replaces a file, which `yes` confirms. Rejects when it is interrupted, and then leaves a file as it was.
 */
export async function exportText(
  { out, terminal, interrupted }: Session,
  { target, yes, pieces, progress, told }: TextExport,
): Promise<ExitCode> {
  const found = target === '-' ? undefined : await stat(target).catch(() => undefined);
  if (found?.isDirectory() === true) {
    throw new AppError('usage', `${target} is a folder. Name a file.`);
  }
  const isFile = target !== '-' && (found === undefined || found.isFile());
  if (isFile && found !== undefined) {
    if (!(await confirm(terminal, yes, `Write over ${printable(target)}?`))) {
      out.note('Nothing was written.');
      return 1;
    }
  }
  const isShown = target === '-' && terminal.stdout.isTTY === true;
  const text = outgoing(pieces, isShown, interrupted);
  try {
    if (isFile) await replaceFile(target, text);
    else if (target === '-') await writeStream(terminal.stdout, text);
    // Write directly to a pipe or device: replacing it by a file would not help its reader.
    else await writeDevice(target, text, interrupted);
  } finally {
    progress.clear();
  }
  const [document, counted] = told();
  const report = `Exported ${counted} to ${printable(target)}.`;
  if (isFile) out.result(document, report);
  else out.note(target === '-' ? counted : report);
  return 0;
}

/** A terminal gets no control character, and no return before a line's end. */
async function* outgoing(pieces: Pieces, isShown: boolean, interrupted: AbortSignal) {
  for await (const piece of pieces) {
    interrupted.throwIfAborted();
    yield isShown ? printable(piece.replaceAll('\r\n', '\n')) : piece;
  }
}

/** How long a pipe may be without a program that reads from it, in milliseconds. */
const readerMs = 2000;
const pollMs = 20;

/** Opening a pipe without a reader, as a stream does, would wait where no signal could end it. */
async function openForReader(path: string, signal: AbortSignal): Promise<FileHandle> {
  for (let waited = 0; ; waited += pollMs) {
    try {
      return await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') return unwritable(path)(error);
      if (waited < readerMs) await wait(pollMs, undefined, { signal });
      else throw new AppError('usage', `No program reads from ${path}. Name a file.`);
    }
  }
}

async function writeDevice(path: string, pieces: Pieces, signal: AbortSignal): Promise<void> {
  const opened = await openForReader(path, signal);
  const stream = createWriteStream(path, { flags: 'a' });
  try {
    await writeStream(stream, pieces);
  } finally {
    await opened.close();
  }
  await new Promise<void>((resolve) => stream.end(resolve));
}

/**
 * Writes to a stream at its reader's speed. Ends silently when the reader goes away. Rejects for other errors such as a
 * full disk, because half an export is useless.
 */
async function writeStream(stream: Writable, pieces: Pieces): Promise<void> {
  // Standard output forgets an error and fails again with each piece.
  const faults: NodeJS.ErrnoException[] = [];
  const keep = (fault: NodeJS.ErrnoException) => void faults.push(fault);
  stream.on('error', keep);
  try {
    for await (const piece of pieces) {
      if (stream.destroyed || faults.length > 0) break;
      if (stream.write(piece)) continue;
      const waited = new AbortController();
      const ends = ['drain', 'close'].map((event) => once(stream, event, waited));
      await Promise.race(ends).catch(() => undefined);
      waited.abort();
    }
    await nextTick();
  } finally {
    stream.off('error', keep);
  }
  const fault = faults.find(({ code }) => code !== 'EPIPE');
  if (fault !== undefined) throw fault;
}

/**
 * Writes a file that only its owner may read. It is written beside its place and renamed after the last piece: nobody
 * sees half a file, and a link of that name is replaced, never followed. Errors: `usage` for an unwritable place.
 */
export async function replaceFile(path: string, pieces: Pieces): Promise<void> {
  // Unique, so that two processes do not write into one file.
  const partial = `${path}.${process.pid}.partial`;
  await rm(partial, { force: true });
  const file = await open(partial, 'wx', ownerOnly).catch(unwritable(path));
  try {
    for await (const piece of pieces) await file.write(piece);
    await file.close();
    await rename(partial, path).catch(unwritable(path));
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

export function unwritable(path: string): (error: unknown) => never {
  return (error) => {
    const trouble = fileTrouble(error);
    if (trouble?.code === 'no_space') throw trouble;
    const isReadOnly = (error as NodeJS.ErrnoException).code === 'EROFS';
    const reason = isReadOnly
      ? 'Its disk is read-only: name another one.'
      : `(${messageOf(error)}).`;
    throw new AppError('usage', `${path} can't be written${isReadOnly ? '. ' : ' '}${reason}`, {
      cause: error,
    });
  };
}
