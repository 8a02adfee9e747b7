import { createReadStream } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import { AppError } from '../../platform/errors.js';
import { fileTooLarge, isPdf, notAPdf } from '../start-ingestion.js';

/**
 * The bytes of a PDF. Refuses with `file_too_large` as soon as there are more than may be, without reading on, and
 * with `not_a_pdf` what is none; what may not be read says so.
 */
export async function readSource(
  source: Readable,
  maxMb: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  addAbortSignal(signal, source);
  try {
    for await (const piece of source as AsyncIterable<Buffer>) {
      size += piece.byteLength;
      if (size > maxMb * 1024 * 1024) throw fileTooLarge(maxMb);
      pieces.push(piece);
    }
  } catch (error) {
    if (signal.aborted) throw new AppError('shutting_down', 'Interrupted.', { cause: error });
    throw error;
  }
  const bytes = Buffer.concat(pieces);
  if (!isPdf(bytes)) throw notAPdf(bytes);
  return bytes;
}

/** A file as it is read: in pieces, so that one that is far too large costs no memory. */
export function openSource(path: string, stdin: Readable): Readable {
  return path === '-' ? stdin : createReadStream(path, { highWaterMark: 1 << 20 });
}
