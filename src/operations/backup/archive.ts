import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, type Gunzip } from 'node:zlib';
import { extract, pack, type ExtractEvents, type Pack } from 'tar-stream';
import { flush } from '../../platform/db/take-snapshot.js';

/** A file for an archive: text, or a path to a file that does not change meanwhile. */
export interface ArchivedFile {
  name: string;
  content: { text: string } | { path: string };
}

export interface FileSum {
  /** In bytes. */
  size: number;
  sha256: string;
}

type Entry = ExtractEvents['entry'][1] & AsyncIterable<Buffer>;

/** A file in an archive that is being read. */
export interface ArchiveEntry {
  name: string;
  /** In bytes. */
  size: number;
  content: Entry;
}

interface Watching {
  signal?: AbortSignal | undefined;
  /** Called with the bytes of each piece that was read. */
  onRead?: ((bytes: number) => void) | undefined;
}

/** Only the owner may read files, in the archive and unpacked. */
const ownersAlone = 0o600;

/**
 * Writes a tar.gz to a new file that only its owner may read, and returns its size and checksum. Rejects with the
 * signal's reason when aborted; the caller deletes the unfinished file.
 */
export async function writeArchive(
  target: string,
  files: ArchivedFile[],
  changed: Date,
  { signal, onRead }: Watching = {},
): Promise<FileSum> {
  const packed = summing();
  const archive = pack();
  try {
    await Promise.all([
      addFiles(archive, files, changed, onRead).catch((error: unknown) => {
        archive.destroy(error as Error);
        throw error;
      }),
      pipeline(
        archive,
        createGzip(),
        packed.pass,
        createWriteStream(target, { flags: 'wx', mode: ownersAlone }),
        ...(signal === undefined ? [] : [{ signal }]),
      ),
    ]);
    await flush(target);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
  return packed.sum();
}

async function addFiles(
  archive: Pack,
  files: ArchivedFile[],
  mtime: Date,
  onRead: Watching['onRead'],
): Promise<void> {
  for (const { name, content } of files) {
    if ('text' in content) {
      archive.entry({ name, mode: ownersAlone, mtime }, content.text);
      continue;
    }
    const { size } = await stat(content.path);
    const entry = archive.entry({ name, size, mode: ownersAlone, mtime });
    const pass = passing((piece) => onRead?.(piece.length));
    await pipeline(createReadStream(content.path), pass, entry);
  }
  archive.finalize();
}

/** The size and checksum of a file. */
export async function sumOf(path: string, { signal, onRead }: Watching = {}): Promise<FileSum> {
  const read = summing(onRead);
  for await (const _ of read.pass(createReadStream(path))) signal?.throwIfAborted();
  return read.sum();
}

export function sumOfText(content: string): FileSum {
  return {
    size: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
  };
}

/** A pipeline step that passes each piece to `look`. */
function passing(look: (piece: Buffer) => void) {
  return async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      look(piece);
      yield piece;
    }
  };
}

/** A pipeline step that computes size and checksum. */
function summing(onPiece?: (bytes: number) => void) {
  const hash = createHash('sha256');
  let size = 0;
  const pass = passing((piece) => {
    hash.update(piece);
    size += piece.length;
    onPiece?.(piece.length);
  });
  return { pass, sum: (): FileSum => ({ size, sha256: hash.digest('hex') }) };
}

/** In bytes: headers, and final zeros, since tar pads to 20 blocks. */
const overheadLimit = 64 * 1024;

const behindEnd = 'something stands behind its end';

/**
 * Reads a tar.gz sequentially, one entry at a time, and never more than requested, so that the unpacked archive need
 * not fit anywhere. Throws an Error whose sentence describes the problem.
 */
export class ArchiveReader {
  readonly #unpacked: Gunzip = createGunzip();
  readonly #entries: AsyncIterator<Entry, undefined>;
  readonly #closing = new AbortController();
  /** Bytes after decompression, and bytes of the entries by their headers. */
  #read = 0;
  #told = 0;

  constructor(path: string, signal?: AbortSignal) {
    const archive = extract();
    this.#entries = archive[Symbol.asyncIterator]() as AsyncIterator<Entry, undefined>;
    const counting = passing((piece) => (this.#read += piece.length));
    const ending = signal === undefined ? [] : [signal];
    const stop = AbortSignal.any([this.#closing.signal, ...ending]);
    pipeline(createReadStream(path), this.#unpacked, counting, archive, { signal: stop })
      // The entries report it.
      .catch((error: unknown) => archive.destroy(error as Error));
  }

  /** The next file; undefined at the end of the archive. The previous file's content must have been read. */
  async next(): Promise<ArchiveEntry | undefined> {
    const { value: content } = await explained(() => this.#entries.next());
    if (content === undefined) return undefined;
    const { name, size } = content.header;
    // Null for unknown types, although the declaration says otherwise.
    const type = content.header.type as string | null;
    // A backup contains no links, folders or devices.
    if (type !== 'file') {
      throw new Error(
        `${JSON.stringify(name)} in it is a ${type?.replace('-', ' ') ?? 'special entry'}, no file`,
      );
    }
    this.#told += size;
    return { name, size, content };
  }

  async text({ content }: ArchiveEntry): Promise<string> {
    return explained(() => text(content));
  }

  /** Writes the content of an entry to a new file that only its owner may read. */
  async unpackTo(
    target: string,
    { content }: ArchiveEntry,
    onWritten?: (bytes: number) => void,
  ): Promise<FileSum> {
    const written = summing(onWritten);
    const file = createWriteStream(target, { flags: 'wx', mode: ownersAlone, flush: true });
    await explained(() => pipeline(content, written.pass, file));
    return written.sum();
  }

  /** Call it at the end. `packed` is the size of the file, all of which must belong to the archive. */
  finish(packed: number): void {
    // Data after the end of the gzip is silently ignored, so compare the sizes.
    const isWhole = this.#unpacked.bytesWritten === packed;
    if (!isWhole || this.#read > this.#told + overheadLimit) throw new Error(behindEnd);
  }

  close(): void {
    this.#closing.abort();
  }
}

async function explained<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const { code, message, name } = error as NodeJS.ErrnoException;
  if (name === 'AbortError') return 'interrupted';
  if (code === 'Z_BUF_ERROR' || message === 'Unexpected end of data') return 'it ends too early';
  if (code?.startsWith('Z_') === true) return `it can't be unpacked (${message})`;
  if (/tar header|format/.test(message)) return 'it contains data that is no entry of an archive';
  return message;
}
