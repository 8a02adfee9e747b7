import type { Context } from 'koa';

/**
 * Aborts when the client has gone away before its answer was complete, or asked for its headers alone
 * (HEAD): nobody would read it.
 */
export function goneSignal(ctx: Context): AbortSignal {
  const gone = new AbortController();
  const leave = () => gone.abort(new Error('the client has gone away'));
  // While it was read and authenticated, say: that is told to nobody who asks later.
  if (ctx.res.destroyed || ctx.req.socket.destroyed) leave();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished || ctx.method === 'HEAD') leave();
  });
  return gone.signal;
}
