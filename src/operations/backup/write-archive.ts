import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { flush } from '../../platform/db/take-snapshot.js';
import { blockSize, paddingOf, tarHeader } from './tar-header.js';

/** What goes into an archive: text, or a file that does not change meanwhile. */
export interface ArchivedFile {
  name: string;
  content: { text: string } | { path: string };
}

export interface FileSum {
  /** In bytes. */
  size: number;
  sha256: string;
}

interface Watching {
  signal?: AbortSignal | undefined;
  /** Told of each piece that was read, in bytes. */
  onRead?: ((bytes: number) => void) | undefined;
}

/**
 * Writes a tar.gz to a new file that its owner alone may read, piece by piece, and answers what it came to. Rejects
 * with the signal's reason when that aborts; the unfinished file is the caller's to remove.
 */
export async function writeArchive(
  target: string,
  files: ArchivedFile[],
  changed: Date,
  watching: Watching = {},
): Promise<FileSum> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    await pipeline(
      Readable.from(archive(files, changed, watching), { objectMode: false }),
      createGzip(),
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          hash.update(piece);
          size += piece.length;
          yield piece;
        }
      },
      createWriteStream(target, { flags: 'wx', mode: 0o600 }),
      ...(watching.signal === undefined ? [] : [{ signal: watching.signal }]),
    );
    await flush(target);
  } catch (error) {
    watching.signal?.throwIfAborted();
    throw error;
  }
  return { size, sha256: hash.digest('hex') };
}

/** Size and checksum of a file. */
export async function sumOf(path: string, { signal, onRead }: Watching = {}): Promise<FileSum> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    hash.update(piece);
    size += piece.length;
    onRead?.(piece.length);
  }
  return { size, sha256: hash.digest('hex') };
}

export function sumOfText(text: string): FileSum {
  return {
    size: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}

async function* archive(
  files: ArchivedFile[],
  changed: Date,
  { onRead }: Watching,
): AsyncGenerator<Buffer> {
  for (const { name, content } of files) {
    const size =
      'text' in content ? Buffer.byteLength(content.text) : (await stat(content.path)).size;
    yield tarHeader({ name, size }, changed);
    if ('text' in content) yield Buffer.from(content.text);
    else {
      for await (const piece of createReadStream(content.path) as AsyncIterable<Buffer>) {
        onRead?.(piece.length);
        yield piece;
      }
    }
    yield Buffer.alloc(paddingOf(size));
  }
  yield Buffer.alloc(2 * blockSize);
}
