import type { IncomingMessage } from 'node:http';
import type { Context, Next } from 'koa';
import { AppError } from '../errors.js';

/**
 * A request names its target as it likes (`GET http://[:: HTTP/1.1`), and what Koa can't read of it throws wherever it
 * is first looked at. Looked at here, before anything else: what can't be read becomes `/`, to be refused by checkTarget.
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
    // What can be seen of the path still tells which rules of other origins hold for the refusal.
    return false;
  }
}

/** Undefined where Koa's parser throws, and where it finds no path at all (`http://`). */
function pathOf(ctx: Context): string | undefined {
  try {
    const path: unknown = ctx.path;
    return typeof path === 'string' ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Refuses with `invalid_request` a request that does not name its host, or a second one, which something before this
 * server may have read instead.
 */
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
 * Refuses with `invalid_request` a target that could not be read, and a host that is missing or named twice. Below what
 * turns errors into answers.
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
