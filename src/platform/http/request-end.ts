import type { Socket } from 'node:net';
import type { Context } from 'koa';

/** Of each connection, what waits for the end of its requests. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `over` once: when the answer is out, or when its connection has ended. Node does not tell the latter to an
 * answer that waits behind others on its connection.
 */
export function onRequestEnd({ req: { socket }, res }: Context, over: () => void): void {
  if (res.closed || socket.destroyed) {
    over();
    return;
  }
  const ends = endsOf(socket);
  const end = () => {
    if (ends.delete(end)) over();
  };
  ends.add(end);
  res.once('close', end);
}

/** One listener for each connection, however many requests it carries. */
function endsOf(socket: Socket): Set<() => void> {
  const known = waiting.get(socket);
  if (known !== undefined) return known;
  const ends = new Set<() => void>();
  waiting.set(socket, ends);
  socket.once('close', () => ends.forEach((end) => end()));
  return ends;
}
