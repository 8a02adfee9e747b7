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
  if (ctx.request.length > limit) {
    cutOff(ctx);
    throw tooLarge();
  }
  try {
    return await collect(ctx, decoder, limit, tooLarge);
  } catch (error) {
    cutOff(ctx);
    decoder?.destroy();
    throw error;
  }
}

/** By events: an iteration that is left early would destroy the request, and the answer with it. */
function collect(
  { req }: Context,
  decoder: Transform | undefined,
  limit: number,
  tooLarge: () => AppError,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
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
    count(body, (piece) => pieces.push(piece));
    // A packed body may grow for ever and unpack to nothing.
    if (decoder !== undefined) {
      count(req, () => undefined);
      req.pipe(decoder);
    }
    body.once('end', () => resolve(Buffer.concat(pieces)));
    const broken = (sentence: string) => (cause?: unknown) =>
      reject(new AppError('invalid_request', sentence, { cause }));
    decoder?.once('error', broken('The body is not packed as its Content-Encoding says.'));
    const incomplete = broken('The connection ended in the middle of the body.');
    req.once('error', incomplete);
    // What has come whole is lost too where the connection ends before it is read.
    const closed = () => {
      if (!req.readableEnded) incomplete();
    };
    req.once('close', closed);
    // It ended before anybody listened, and no event will follow.
    if (req.destroyed) closed();
  });
}
