import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Context } from 'koa';

/** For each connection, the callbacks for the end of its requests. */
const waiting = new WeakMap<Socket, Set<() => void>>();
/** For each response, its callbacks. One listener serves them all, since a response has many other listeners. */
const asking = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Calls `over` once: when the answer is sent, or when the connection has ended. Node does not report the end of the
 * connection to a response that waits behind others on the connection.
 */
export function onRequestEnd({ req: { socket }, res }: Context, over: () => void): void {
  if (res.closed || socket.destroyed) {
    over();
    return;
  }
  const known = asking.get(res);
  if (known !== undefined) {
    known.push(over);
    return;
  }
  const all = [over];
  asking.set(res, all);
  const ends = endsOf(socket);
  const end = () => {
    if (ends.delete(end)) all.forEach((tell) => tell());
  };
  ends.add(end);
  res.once('close', end);
}

/** Adds one listener for each connection, however many requests it carries. */
function endsOf(socket: Socket): Set<() => void> {
  const known = waiting.get(socket);
  if (known !== undefined) return known;
  const ends = new Set<() => void>();
  waiting.set(socket, ends);
  socket.once('close', () => ends.forEach((end) => end()));
  return ends;
}

/**
 * Aborts when the client has gone away before its answer was complete, or asked for its headers alone
 * (HEAD): nobody would read it. Aborts with `stopping` too, where it is given. AbortSignal.any would keep hold of that
 * one for each request there ever was.
 */
export function goneSignal(ctx: Context, stopping?: AbortSignal): AbortSignal {
  const gone = new AbortController();
  const stop = () => gone.abort(stopping?.reason);
  if (stopping?.aborted === true) stop();
  stopping?.addEventListener('abort', stop);
  onRequestEnd(ctx, () => {
    stopping?.removeEventListener('abort', stop);
    if (ctx.res.writableFinished && ctx.method !== 'HEAD') return;
    gone.abort(new Error('the client has gone away'));
  });
  return gone.signal;
}
