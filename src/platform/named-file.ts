import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import { isatty } from 'node:tty';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from './errors.js';
import { printableInLine } from './text/printable.js';

/** How long a pipe may be without a program that writes into it, in milliseconds. */
const writerMs = 2000;
const pollMs = 20;
const pieceBytes = 65_536;

/** The size in bytes of a file that a person named. Errors: `usage` for anything but an ordinary file. */
export async function requireFile(path: string): Promise<number> {
  const found = await stat(path);
  if (found.isFile()) return found.size;
  throw unfit(path, found.isDirectory() ? 'is a folder' : 'is no ordinary file');
}

/**
 * The whole content of a file, pipe or terminal that a person named. Errors: `file_too_large` for more than `mostMb`;
 * those of `piecesOf`.
 */
export async function readNamedFile(
  path: string,
  { mostMb = 64, signal }: { mostMb?: number; signal?: AbortSignal } = {},
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of piecesOf(path, signal)) {
    size += piece.length;
    if (size > mostMb * 1024 ** 2) throw tooLarge(path, mostMb);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/**
 * The content of a file, pipe or terminal that a person named, in pieces. Never waits where a signal could not end it,
 * as a plain `open` of a pipe does. Errors: `usage` for a folder, a socket, a device such as /dev/zero that never ends,
 * and a pipe without a program that writes into it. Other errors are those of the file system.
 */
export async function* piecesOf(path: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const found = await stat(path);
  if (found.isDirectory()) throw unfit(path, 'is a folder');
  if (found.isSocket()) throw unfit(path, 'is a socket');
  if (found.isBlockDevice()) throw unfit(path, 'is a device');
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (found.isCharacterDevice() && !isatty(file.fd) && !(await isNull(found.rdev))) {
      throw unfit(path, 'is a device that never ends');
    }
    let isEmpty = true;
    for (let waited = 0; ;) {
      signal?.throwIfAborted();
      const buffer = Buffer.allocUnsafe(pieceBytes);
      const bytes = await file.read(buffer, 0, pieceBytes, null).then(
        ({ bytesRead }) => bytesRead,
        (error: unknown) => {
          if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
          throw error;
        },
      );
      if (bytes !== undefined && bytes > 0) {
        isEmpty = false;
        const piece = buffer.subarray(0, bytes);
        // A reader may keep many small pieces, but not their large buffers.
        yield bytes < pieceBytes / 2 ? Buffer.from(piece) : piece;
        continue;
      }
      const lacksWriter = bytes === 0 && isEmpty && found.isFIFO() && !isInherited(path);
      if (bytes === 0 && !lacksWriter) return;
      if (lacksWriter) waited += pollMs;
      if (waited > writerMs) throw unfit(path, 'is a pipe, and no program writes into it');
      await wait(pollMs, undefined, { signal });
    }
  } finally {
    await file.close();
  }
}

async function isNull(device: number): Promise<boolean> {
  return device === (await stat(devNull)).rdev;
}

/** A pipe of the shell, such as `<(…)`. Without a writer it has ended, because nobody else can open it. */
function isInherited(path: string): boolean {
  return /^\/(?:dev\/(?:stdin|fd\/)|proc\/[^/]+\/fd\/)/.test(path);
}

function unfit(path: string, what: string): AppError {
  return new AppError('usage', `${printableInLine(path)} ${what}. Name a file.`);
}

function tooLarge(path: string, mostMb: number): AppError {
  const sentence = `${printableInLine(path)} is larger than ${mostMb} MB. Check that it is the right file.`;
  return new AppError('file_too_large', sentence);
}
