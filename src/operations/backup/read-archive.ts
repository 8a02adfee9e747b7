import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { blockSize, paddingOf, readTarHeader, type TarEntry } from './tar-header.js';
import type { FileSum } from './write-archive.js';

/** Zeros that may stand behind the end of an archive: tar fills up to 20 blocks. In bytes. */
const trailingLimit = 64 * 1024;

const behindEnd = 'something stands behind its end';

/**
 * Reads a tar.gz from front to back, one entry at a time, and never more of it than was asked for: what it would unpack
 * to need not fit anywhere. Throws an Error with a sentence on what is wrong.
 */
export class ArchiveReader {
  readonly #pieces: AsyncIterator<Buffer, undefined>;
  readonly #unpacked: Gunzip;
  readonly #close: () => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(path: string, signal?: AbortSignal) {
    const source = createReadStream(path);
    const unpacked = source.pipe(createGunzip());
    this.#unpacked = unpacked;
    source.on('error', (error) => unpacked.destroy(error));
    const stop = () => unpacked.destroy(new Error('interrupted'));
    signal?.addEventListener('abort', stop);
    this.#pieces = (unpacked as AsyncIterable<Buffer, undefined>)[Symbol.asyncIterator]();
    this.#close = () => {
      signal?.removeEventListener('abort', stop);
      source.destroy();
      unpacked.destroy();
    };
  }

  /** The next entry's name and size; undefined at the end of the archive. Its content must be read before the next. */
  async next(): Promise<TarEntry | undefined> {
    return readTarHeader(await this.#take(blockSize));
  }

  /** The content of the entry at hand as text. */
  async text({ size }: TarEntry): Promise<string> {
    const content = await this.#take(size);
    await this.#take(paddingOf(size));
    return content.toString('utf8');
  }

  /** Writes the content of the entry at hand to a new file that its owner alone may read. */
  async unpackTo(
    target: string,
    { size }: TarEntry,
    onWritten?: (bytes: number) => void,
  ): Promise<FileSum> {
    const hash = createHash('sha256');
    const handle = await open(target, 'wx', 0o600);
    try {
      for (let left = size; left > 0;) {
        const piece = await this.#some(left);
        hash.update(piece);
        await handle.write(piece);
        left -= piece.length;
        onWritten?.(piece.length);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await this.#take(paddingOf(size));
    return { size, sha256: hash.digest('hex') };
  }

  /** Reads what must be the end. `packed` is the size of the file, all of which must belong to the archive. */
  async finish(packed: number): Promise<void> {
    let trailing = 0;
    for (;;) {
      const piece = this.#rest.length > 0 ? this.#rest : await this.#piece();
      this.#rest = Buffer.alloc(0);
      if (piece === undefined) break;
      trailing += piece.length;
      if (trailing > trailingLimit || piece.some((byte) => byte !== 0)) {
        throw new Error(behindEnd);
      }
    }
    // What is no gzip any more is passed over in silence.
    if (this.#unpacked.bytesWritten !== packed) throw new Error(behindEnd);
  }

  close(): void {
    this.#close();
  }

  async #take(size: number): Promise<Buffer> {
    const taken: Buffer[] = [];
    for (let left = size; left > 0;) {
      const piece = await this.#some(left);
      taken.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(taken);
  }

  /** Something of at most this many bytes. */
  async #some(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const piece = await this.#piece();
      if (piece === undefined) throw new Error('it ends too early');
      this.#rest = piece;
    }
    const some = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(some.length);
    return some;
  }

  async #piece(): Promise<Buffer | undefined> {
    try {
      const next: IteratorResult<Buffer, undefined> = await this.#pieces.next();
      return next.value;
    } catch (error) {
      throw new Error(reasonOf(error), { cause: error });
    }
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return 'it ends too early';
  if (code?.startsWith('Z_') === true) return `it can't be unpacked (${message})`;
  return message;
}
