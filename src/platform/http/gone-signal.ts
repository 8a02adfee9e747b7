import type { Context } from 'koa';
import { onRequestEnd } from './request-end.js';

/**
 * Aborts when the client has gone away before its answer was complete, or asked for its headers alone
 * (HEAD): nobody would read it.
 */
export function goneSignal(ctx: Context): AbortSignal {
  const gone = new AbortController();
  onRequestEnd(ctx, () => {
    if (ctx.res.writableFinished && ctx.method !== 'HEAD') return;
    gone.abort(new Error('the client has gone away'));
  });
  return gone.signal;
}
