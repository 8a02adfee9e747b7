import type { Context } from 'koa';

/** How long a client that is still sending is listened to, so that it can read the refusal. */
const lingerMs = 2000;

/**
 * Takes no more of the body in: what still comes is thrown away for a moment, then the connection ends. Until then it
 * is kept, even where the client has asked for its end after the answer (`Connection: close`, as HTTP/1.0 proxies do):
 * Node would end it at once, and the client would meet a broken pipe where the refusal should be.
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
 * Ends the connection of a client that sends nothing for `ms` while its body is awaited. The time until the
 * answer is not counted: a model may think for long.
 */
export function endStalledBody(ctx: Context, ms: number): void {
  const { req, res } = ctx;
  if (req.complete) return;
  // Without a listener of its own for it, a socket that times out is destroyed.
  req.socket.setTimeout(ms);
  req.once('end', () => {
    // After the answer it is the connection's time to be idle that counts, which Node has set by then.
    if (!res.writableFinished) req.socket.setTimeout(0);
  });
}
