import type { IncomingMessage } from 'node:http';
import type { Context, Next } from 'koa';
import { AppError } from '../errors.js';

/**
 * A client may send any request target (`GET http://[:: HTTP/1.1`), and Koa throws wherever it first reads an invalid
 * one. This middleware reads the target first and replaces an invalid one by `/`, for checkTarget to refuse.
 */
export async function readTarget(ctx: Context, next: Next): Promise<void> {
  ctx.state['unreadableTarget'] = !isReadable(ctx);
  await next();
}

function isReadable(ctx: Context): boolean {
  const path = pathOf(ctx);
  if (path === undefined) {
    ctx.req.url = '/';
    return false;
  }
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    // The readable part of the path still decides which CORS rules apply to the refusal.
    return false;
  }
}

/** Undefined when Koa's parser throws, or finds no path (`http://`). */
function pathOf(ctx: Context): string | undefined {
  try {
    const path: unknown = ctx.path;
    return typeof path === 'string' ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Errors: `invalid_request` for a request with no host or two hosts: a server in front may have read the other. */
export function requireOneHost({
  rawHeaders,
  httpVersionMajor,
  httpVersionMinor,
}: IncomingMessage) {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  const isOld = httpVersionMajor < 1 || (httpVersionMajor === 1 && httpVersionMinor === 0);
  if (hosts.length === 1 || (isOld && hosts.length === 0)) return;
  throw new AppError('invalid_request', 'Send the header Host, and send it once.');
}

/**
 * Errors: `invalid_request` for an unreadable target, and a host that is missing or named twice. Must run inside the
 * middleware that answers errors.
 */
export async function checkTarget(ctx: Context, next: Next): Promise<void> {
  requireOneHost(ctx.req);
  if (ctx.state['unreadableTarget'] === true) {
    const sentence =
      'The address of the request can’t be read: check its host, and encode its path as UTF-8.';
    throw new AppError('invalid_request', sentence);
  }
  await next();
}
