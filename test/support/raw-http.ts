import { connect, type Socket } from 'node:net';

/** A connection on which a test writes bytes that no client library would send. */
export interface RawConnection {
  socket: Socket;
  received(): string;
  /** Resolves when the received text matches. Rejects if the connection ends before. */
  until: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Resolves with the received text when the other side has closed. */
  closed: Promise<string>;
}

export async function connectTo(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  const watchers = new Set<() => void>();
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
    watchers.forEach((look) => look());
  });
  // The test judges a reset by the text received before.
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return {
    socket,
    received: () => received,
    closed,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(received);
          if (match === null) return;
          watchers.delete(look);
          resolve(match);
        };
        watchers.add(look);
        look();
        void closed.then(() => reject(new Error(`closed without ${String(pattern)}: ${received}`)));
      }),
  };
}
