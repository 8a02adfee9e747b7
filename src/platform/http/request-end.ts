import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Context } from 'koa';

/** For each connection, the callbacks for the end of its requests. */
const waiting = new WeakMap<Socket, Set<() => void>>();
/** The key of a response's callbacks. In a WeakMap of all responses, each one cost the garbage collector 9 us. */
const asking = Symbol('callbacks');

/** One listener serves all callbacks, since a response has many other listeners. */
type Asked = ServerResponse & { [asking]?: (() => void)[] };

/**
 * Calls `over` once: when the answer is sent, or when the connection has ended. Node does not report the end of the
 * connection to a response that waits behind others on the connection.
 */
export function onRequestEnd(ctx: Context, over: () => void): void {
  const { socket } = ctx.req;
  const res: Asked = ctx.res;
  if (res.closed || socket.destroyed) {
    over();
    return;
  }
  const known = res[asking];
  if (known !== undefined) {
    known.push(over);
    return;
  }
  const all = [over];
  res[asking] = all;
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
