import type { Context } from 'koa';

/** How long the connection stays open for a client that is still sending, so that it can read the refusal. */
const lingerMs = 2000;

/**
 * Stops reading the body. The rest is discarded for a moment, then the connection ends. The connection stays open that
 * long even if the client sent `Connection: close`, as HTTP/1.0 proxies do. Node would close it at once, and the client
 * would get a broken pipe instead of the refusal.
 */
export function cutOff(ctx: Context): void {
  const { req, res } = ctx;
  if (ctx.state['isCutOff'] === true) return;
  ctx.state['isCutOff'] = true;
  const wasToEnd = !res.shouldKeepAlive;
  res.shouldKeepAlive = true;
  req.unpipe();
  req.resume();
  res.once('finish', () => {
    if (req.complete) {
      if (wasToEnd) req.socket.end();
      return;
    }
    const timer = setTimeout(() => req.destroy(), lingerMs);
    req.once('close', () => clearTimeout(timer));
    if (wasToEnd) req.once('end', () => req.socket.end());
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
