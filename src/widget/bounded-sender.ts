import type { WebSocket } from 'ws';
import type { ServerFrame } from '../chat/protocol.js';

/** Bytes that may wait to be sent before whoever makes more of them is held up. */
const highWater = 256 * 1024;
/** Bytes at which a connection is cut, whoever made them: its client does not read. */
const most = 4 * 1024 * 1024;

export interface BoundedSender {
  /**
   * Sends a frame; resolves once more may be sent: at once while the client keeps up, else when it has read. Never
   * rejects: what can't be sent any more is dropped, its connection is over.
   */
  send(frame: ServerFrame): Promise<void>;
}

/** What is sent to a client never fills the memory: one that stops reading for `stuckMs` is cut. */
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
