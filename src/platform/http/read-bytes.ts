import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Context } from 'koa';
import { AppError } from '../errors.js';
import { cutOff } from './cut-off.js';

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Bytes of a body that arrive before its sender's credential is checked. */
const firstBytes = 16 * 1024;

/**
 * Waits for the body, or for its first 16 KB, and reads none of it. A slow sender is thereby held up before the check of
 * the credential, which costs more than all else. Refuses with `invalid_request` a client that goes away.
 */
export function awaitFirstBytes({ req }: Context): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (!req.complete && req.readableLength < firstBytes && !req.destroyed) return;
      req.off('readable', look).off('close', look).off('error', look);
      if (req.complete || !req.destroyed) resolve();
      else reject(connectionEnded());
    };
    // Node stops receiving once its buffer is full, so that nobody can fill the memory meanwhile.
    req.on('readable', look).on('close', look).on('error', look);
    look();
  });
}

function connectionEnded(cause?: unknown): AppError {
  return new AppError('invalid_request', 'The connection ended in the middle of the body.', {
    cause,
  });
}

/**
 * The request's body, unpacked, of `limit` bytes at most. Refuses with `tooLarge` as soon as more have come,
 * packed or unpacked, without reading on; `unsupported_media_type` a packing that is not known, and
 * `invalid_request` one that is broken or a client that goes away.
 */
export async function readBytes(
  ctx: Context,
  limit: number,
  tooLarge: () => AppError,
): Promise<Buffer> {
  const encoding = ctx.get('Content-Encoding').trim().toLowerCase() || 'identity';
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  if (decoder === undefined && encoding !== 'identity') {
    const sentence = 'Send the body as it is, or with Content-Encoding: gzip, deflate or br.';
    throw new AppError('unsupported_media_type', sentence);
  }
  const told = Number(ctx.get('Content-Length'));
  if (told > limit) {
    cutOff(ctx);
    throw tooLarge();
  }
  try {
    return await collect(ctx, { decoder, told, limit, tooLarge });
  } catch (error) {
    cutOff(ctx);
    decoder?.destroy();
    throw error;
  }
}

interface Expected {
  decoder: Transform | undefined;
  /** The body's Content-Length, 0 where it has none: no more than that comes. */
  told: number;
  limit: number;
  tooLarge: () => AppError;
}

/** By events: an iteration that is left early would destroy the request, and the answer with it. */
function collect({ req }: Context, { decoder, told, limit, tooLarge }: Expected): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Each byte is held once where the length is known: in its place, and not in a piece as well.
    const whole = decoder === undefined && told > 0 ? Buffer.allocUnsafeSlow(told) : undefined;
    let filled = 0;
    const pieces: Buffer[] = [];
    /** Counts what comes out of a stream, and calls `keep` while it is within the limit. */
    const count = (stream: Readable, keep: (piece: Buffer) => void) => {
      let size = 0;
      stream.on('data', (piece: Buffer) => {
        size += piece.byteLength;
        if (size > limit) reject(tooLarge());
        else keep(piece);
      });
    };
    const body = decoder ?? req;
    count(body, (piece) => {
      if (whole === undefined) pieces.push(piece);
      else filled += piece.copy(whole, filled);
    });
    // A packed body may grow for ever and unpack to nothing.
    if (decoder !== undefined) {
      count(req, () => undefined);
      req.pipe(decoder);
    }
    body.once('end', () => resolve(whole ?? Buffer.concat(pieces)));
    decoder?.once('error', (cause) => {
      const sentence = 'The body is not packed as its Content-Encoding says.';
      reject(new AppError('invalid_request', sentence, { cause }));
    });
    const incomplete = (cause?: unknown) => reject(connectionEnded(cause));
    req.once('error', incomplete);
    // What has come whole is lost too where the connection ends before it is read.
    const closed = () => {
      if (!req.readableEnded) incomplete();
    };
    req.once('close', closed);
    // It ended before anybody listened, and no event will follow: an empty one ends while its first bytes are awaited.
    if (req.readableEnded) resolve(Buffer.of());
    else if (req.destroyed) closed();
  });
}
