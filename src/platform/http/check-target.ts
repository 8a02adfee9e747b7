import type { Context, Next } from 'koa';
import { AppError } from '../errors.js';

/**
 * A request names its target as it likes (`GET http://[:: HTTP/1.1`), and what Koa can't read of it throws wherever it
 * is first looked at. Looked at here, before anything else: what can't be read becomes `/`, to be refused by checkTarget.
 */
export async function readTarget(ctx: Context, next: Next): Promise<void> {
  try {
    decodeURIComponent(ctx.path);
  } catch {
    ctx.state['unreadableTarget'] = true;
    ctx.req.url = '/';
  }
  await next();
}

/** Refuses with `invalid_request` a target that could not be read. Below what turns errors into answers. */
export async function checkTarget(ctx: Context, next: Next): Promise<void> {
  if (ctx.state['unreadableTarget'] === true) {
    const sentence =
      'The address of the request can’t be read: check its host, and encode its path as UTF-8.';
    throw new AppError('invalid_request', sentence);
  }
  await next();
}
