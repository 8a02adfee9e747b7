import type { Context } from 'koa';

/**
 * Aborts when the client has gone away before its answer was complete, or asked for its headers alone
 * (HEAD): nobody would read it.
 */
export function goneSignal(ctx: Context): AbortSignal {
  const gone = new AbortController();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished || ctx.method === 'HEAD')
      gone.abort(new Error('the client has gone away'));
  });
  return gone.signal;
}
