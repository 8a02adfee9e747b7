import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Browsers send the next request of a connection after the answer to the last, and few other clients send more. */
const most = 16;

/**
 * Ends a connection on which too many requests wait for each other's answers: a few bytes each, they all come in one
 * piece, and all others would wait until each was begun.
 */
export function boundPipelines(answer: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    // It came in one piece with the one that was too many.
    if (socket.destroyed) return;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    answer(request, response);
  };
}
