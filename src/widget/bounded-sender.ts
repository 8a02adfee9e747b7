import type { WebSocket } from 'ws';
import type { ServerFrame } from '../chat/protocol.js';

/** Bytes that may wait to be sent before the producer has to wait. */
const highWater = 256 * 1024;
/** Bytes at which the connection is cut, because its client does not read. */
const most = 4 * 1024 * 1024;

export interface BoundedSender {
  /**
   * Sends a frame. Resolves when more may be sent: immediately, or when a slow client has read. Never rejects: after
   * the end of the connection, frames are dropped.
   */
  send(frame: ServerFrame): Promise<void>;
}

/** Sends frames without filling the memory: a client that does not read for `stuckMs` is cut off. */
export function createBoundedSender(
  socket: Pick<WebSocket, 'send' | 'terminate' | 'bufferedAmount' | 'readyState' | 'OPEN'>,
  stuckMs: number,
): BoundedSender {
  return {
    send(frame) {
      if (socket.readyState !== socket.OPEN) return Promise.resolve();
      return new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        socket.send(JSON.stringify(frame), () => {
          clearTimeout(timer);
          resolve();
        });
        if (socket.bufferedAmount <= highWater) resolve();
        else if (socket.bufferedAmount > most) socket.terminate();
        else timer = setTimeout(() => socket.terminate(), stuckMs);
      });
    },
  };
}
