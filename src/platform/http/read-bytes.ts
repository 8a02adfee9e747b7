import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Context } from 'koa';
import { AppError } from '../errors.js';

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Bytes of a body that must arrive before the credential is checked. */
const firstBytes = 16 * 1024;

/**
 * Waits for the body or its first 16 KB, without reading it. A slow sender is delayed before the credential check,
 * which costs more than the rest. Errors: `invalid_request` when the client goes away.
 */
export function awaitFirstBytes({ req }: Context): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (!req.complete && req.readableLength < firstBytes && !req.destroyed) return;
      req.off('readable', look).off('close', look).off('error', look);
      if (req.complete || !req.destroyed) resolve();
      else reject(connectionEnded());
    };
    // Node stops receiving when its buffer is full, so nobody can fill the memory meanwhile.
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
 * Reads and unpacks the request's body, at most `limit` bytes. Errors: `tooLarge` as soon as more bytes have arrived,
 * packed or unpacked. Reading stops then: whoever answers the refusal cuts the rest off. Refuses an unknown
 * packing with `unsupported_media_type`. Refuses a broken packing, and a client that goes away, with `invalid_request`.
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
    throw tooLarge();
  }
  try {
    return await collect(ctx, { decoder, told, limit, tooLarge });
  } catch (error) {
    ctx.req.unpipe();
    ctx.req.pause();
    decoder?.destroy();
    throw error;
  }
}

interface Expected {
  decoder: Transform | undefined;
  /** The Content-Length of the body, 0 when there is none. No more bytes than that arrive. */
  told: number;
  limit: number;
  tooLarge: () => AppError;
}

/** Uses events: leaving an iteration early would destroy the request, and the answer with it. */
function collect({ req }: Context, { decoder, told, limit, tooLarge }: Expected): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // With a known length, each byte is written directly to its place, so it is held only once.
    const whole = decoder === undefined && told > 0 ? Buffer.allocUnsafeSlow(told) : undefined;
    let filled = 0;
    const pieces: Buffer[] = [];
    /** Counts the bytes of a stream and calls `keep` while they are within the limit. */
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
    // A packed body may grow without limit and unpack to nothing.
    if (decoder !== undefined) {
      count(req, () => undefined);
      req.pipe(decoder);
    }
    body.once('end', () => resolve(whole ?? Buffer.concat(pieces)));
    decoder?.once('error', (cause) => {
      const sentence = 'The body is not encoded as its Content-Encoding says.';
      reject(new AppError('invalid_request', sentence, { cause }));
    });
    const incomplete = (cause?: unknown) => reject(connectionEnded(cause));
    req.once('error', incomplete);
    // A body that has arrived completely is lost too when the connection ends before it is read.
    const closed = () => {
      if (!req.readableEnded) incomplete();
    };
    req.once('close', closed);
    // The body ended before anybody listened: an empty body ends during the wait for its first bytes.
    if (req.readableEnded) resolve(Buffer.of());
    else if (req.destroyed) closed();
  });
}

/** How long the connection stays open for a client that is still sending, so that it can read the refusal. */
const lingerMs = 2000;

/**
 * Refuses the rest of the body. It is discarded for a moment, then the connection ends. The connection stays open that
 * long even if the client sent `Connection: close`, as HTTP/1.0 proxies do. Node would close it at once, and the client
 * would get a broken pipe instead of the refusal.
 */
export function cutOff({ req, res }: Context): void {
  const { socket } = req;
  const wasToEnd = !res.shouldKeepAlive;
  res.shouldKeepAlive = true;
  req.unpipe();
  req.resume();
  res.once('finish', () => {
    if (req.complete) {
      if (wasToEnd) socket.end();
      return;
    }
    const timer = setTimeout(() => req.destroy(), lingerMs);
    req.once('close', () => clearTimeout(timer));
    if (wasToEnd) req.once('end', () => socket.end());
  });
}

/**
 * Ends the connection of a client that sends no part of its body for `ms`. The time until the answer does not count,
 * because a model may need long.
 */
export function endStalledBody(ctx: Context, ms: number): void {
  const { req, res } = ctx;
  if (req.complete) return;
  // Without this listener, Node destroys a socket that times out.
  req.socket.setTimeout(ms);
  req.once('end', () => {
    // After the answer, Node has already set the idle timeout of the connection. Do not change it.
    if (!res.writableFinished) req.socket.setTimeout(0);
  });
}
