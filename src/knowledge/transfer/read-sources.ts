import { lstat, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError, messageOf } from '../../platform/errors.js';
import { piecesOf, readNamedFile } from '../../platform/named-file.js';
import { counted } from '../../platform/text/counted.js';
import { idOfFile, toRecord, type EntryRecord } from './entry-record.js';
import { parseMarkdown } from './markdown.js';

/** One record as written; `read` throws when it is invalid. */
export interface Said {
  /** The file, or `-` for standard input. */
  source: string;
  /** Null for a file with a single entry. */
  line: number | null;
  read: () => EntryRecord & { id: string };
}

/**
 * Reads the records of a file or folder: JSON lines from a file or standard input (`-`), or Markdown files with one
 * entry each; in a folder all its `.md` and `.jsonl` files, including subfolders, without links. Errors: `not_found`
 * for a missing path.
 */
export async function* readSources(
  name: string,
  stdin: AsyncIterable<Buffer | string>,
  signal?: AbortSignal,
): AsyncGenerator<Said> {
  if (name === '-') {
    yield* readJsonLines('-', stdin);
    return;
  }
  const found = await stat(name).catch((error: unknown) => {
    throw new AppError('not_found', `There is nothing to import at ${name} (${messageOf(error)}).`);
  });
  if (!found.isDirectory()) {
    yield* readFile(name, basename(name), signal);
    return;
  }
  let count = 0;
  for await (const file of filesIn(name)) {
    count += 1;
    yield* readFile(join(name, file), file, signal);
  }
  if (count > 0) return;
  throw new AppError('not_found', `There is no .md or .jsonl file in ${name}.`);
}

export async function* filesIn(folder: string): AsyncGenerator<string> {
  const { glob } = await import('tinyglobby');
  const patterns = ['**/*.md', '**/*.jsonl', '**/*.ndjson'];
  const options = { cwd: folder, followSymbolicLinks: false, onlyFiles: true, dot: false };
  for (const file of (await glob(patterns, options)).sort()) {
    // A link in somebody's folder must not import a file from elsewhere, and a pipe would block.
    if ((await lstat(join(folder, file))).isFile()) yield file;
  }
}

/** The approximate number of entries that `readSources` gives; 0 when unknown before reading. */
export async function countSources(name: string): Promise<number> {
  try {
    if (name === '-') return 0;
    if ((await stat(name)).isFile()) return await countEntries(name);
    let count = 0;
    for await (const file of filesIn(name)) count += await countEntries(join(name, file));
    return count;
  } catch {
    // Reading reports the problem.
    return 0;
  }
}

async function countEntries(path: string): Promise<number> {
  if (isMarkdown(path)) return 1;
  // Reading a file twice that is so large would take too long.
  if ((await stat(path)).size > mostCounted) return 0;
  let count = 0;
  for await (const chunk of piecesOf(path)) {
    for (const byte of chunk) if (byte === lineFeed) count += 1;
  }
  return count;
}

function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

async function* readFile(
  path: string,
  within: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Said> {
  if (!isMarkdown(path)) {
    yield* readJsonLines(path, piecesOf(path, signal));
    return;
  }
  let bytes: Buffer | undefined;
  let fault: unknown;
  try {
    bytes = await readNamedFile(path, { mostMb: mostBytes / 1024 ** 2, ...(signal && { signal }) });
  } catch (error) {
    if (!(error instanceof AppError)) fault = unreadable(error);
    else fault = error.code === 'file_too_large' ? tooLong() : error;
  }
  yield {
    source: path,
    line: null,
    read() {
      if (bytes === undefined) throw fault;
      const record = parseMarkdown(decode(bytes));
      return { ...record, id: record.id ?? idOfFile(within) };
    },
  };
}

async function* readJsonLines(
  source: string,
  stream: AsyncIterable<Buffer | string>,
): AsyncGenerator<Said> {
  try {
    for await (const { number, text } of readLines(stream)) {
      yield { source, line: number, read: () => named(toRecord(parse(text()))) };
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    yield {
      source,
      line: null,
      read() {
        throw unreadable(error);
      },
    };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('invalid_request', `is no JSON (${messageOf(error).slice(0, 200)})`);
  }
}

/** A record without an id is identified by its place and title. */
function named(record: EntryRecord): EntryRecord & { id: string } {
  if (record.id !== undefined) return { ...record, id: record.id };
  const { domain = null, app = null, view = null, url_pattern = null, title = '' } = record;
  return { ...record, id: `titled ${JSON.stringify([domain, app, view, url_pattern, title])}` };
}

function unreadable(error: unknown): AppError {
  return new AppError('invalid_request', `can't be read (${messageOf(error)})`);
}

/** In bytes: the longest text, with each character escaped. */
export const mostBytes = 4 * 1024 * 1024;

/** In bytes: a longer line belongs to no file of entries, so the rest is not read. */
const hopeless = 16 * mostBytes;
const mostCounted = 64 * mostBytes;

/** A line of a file. `text` throws when the line is too long or not UTF-8; the next line may be valid. */
interface Line {
  number: number;
  text: () => string;
}

const lineFeed = 0x0a;

/** The non-blank lines of a stream. At most one line is in memory. */
export async function* readLines(stream: AsyncIterable<Buffer | string>): AsyncGenerator<Line> {
  let held: Buffer[] = [];
  let size = 0;
  let number = 1;
  const keep = (part: Buffer) => {
    size += part.length;
    if (size <= mostBytes) held.push(part);
    else held = [];
  };
  const take = (): Line => {
    const line = { number, text: textOf(held, size, number - 1) };
    held = [];
    size = 0;
    number += 1;
    return line;
  };
  for await (const piece of stream) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      const line = take();
      if (!isBlank(line)) yield line;
    }
    keep(chunk.subarray(start));
    if (size > hopeless) break;
  }
  const last = take();
  if (!isBlank(last)) yield last;
}

function textOf(parts: Buffer[], size: number, before: number): () => string {
  return () => {
    if (size > hopeless) {
      const lines = counted(before, 'line');
      const sentence = `is longer than ${hopeless / 1024 / 1024} MB. Reading stopped there, after ${lines}`;
      throw new AppError('invalid_request', sentence);
    }
    if (size > mostBytes) throw tooLong();
    return decode(Buffer.concat(parts));
  };
}

/** Errors: `invalid_request` for bytes that are not UTF-8. Drops a byte order mark. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('invalid_request', 'is not written in UTF-8');
  }
}

function tooLong(): AppError {
  return new AppError('invalid_request', `is longer than ${mostBytes / 1024 / 1024} MB`);
}

function isBlank(line: Line): boolean {
  try {
    return line.text().trim() === '';
  } catch {
    return false;
  }
}
