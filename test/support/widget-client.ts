import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ClientFrame, ServerFrame } from '../../src/chat/protocol.js';

type FrameOf<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>;

/** The widget's end of a connection, which keeps all received frames. */
export interface WidgetClient {
  socket: WebSocket;
  /** All frames so far, in order. */
  frames: ServerFrame[];
  send: (frame: ClientFrame) => void;
  /** The first matching frame, past or later. Rejects if the connection ends before. */
  until: (fits: (frame: ServerFrame) => boolean) => Promise<ServerFrame>;
  /** The next frame of a type, and of one answer if an id is given. */
  next: <T extends ServerFrame['type']>(type: T, id?: string) => Promise<FrameOf<T>>;
  /** Resolves once the connection is over. */
  closed: Promise<{ code: number; reason: string }>;
  close: () => Promise<void>;
}

/** Opens a connection like a page of `origin`. Rejects with the status if it is refused. */
export async function openWidget(
  url: string,
  { origin, path = '/widget/ws' }: { origin?: string; path?: string } = {},
): Promise<WidgetClient> {
  const socket = new WebSocket(url.replace(/^http/, 'ws') + path, {
    ...(origin === undefined ? {} : { origin }),
  });
  const frames: ServerFrame[] = [];
  const watchers = new Set<() => void>();
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
      watchers.forEach((look) => look());
    });
  });
  socket.on('message', (data: Buffer) => {
    frames.push(JSON.parse(data.toString('utf8')) as ServerFrame);
    watchers.forEach((look) => look());
  });
  await opened(socket);
  const until = (fits: (frame: ServerFrame) => boolean) =>
    new Promise<ServerFrame>((resolve, reject) => {
      // Each frame is checked only once, because a long answer has thousands.
      let seen = 0;
      const look = () => {
        let found: ServerFrame | undefined;
        for (; found === undefined && seen < frames.length; seen++) {
          const frame = frames[seen];
          if (frame !== undefined && fits(frame)) found = frame;
        }
        const isOver = socket.readyState === WebSocket.CLOSED;
        if (found === undefined && !isOver) return;
        watchers.delete(look);
        if (found === undefined) reject(new Error('the connection ended before the frame came'));
        else resolve(found);
      };
      watchers.add(look);
      look();
    });
  return {
    ...{ socket, frames, closed, until },
    send: (frame) => socket.send(JSON.stringify(frame)),
    next: async <T extends ServerFrame['type']>(type: T, id?: string) =>
      (await until(
        (frame) => frame.type === type && (id === undefined || ('id' in frame && frame.id === id)),
      )) as FrameOf<T>,
    async close() {
      socket.close();
      await closed;
    },
  };
}

async function opened(socket: WebSocket): Promise<void> {
  const refused = new Promise<never>((_, reject) => {
    socket.on('unexpected-response', (request, response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        request.destroy();
        // A load balancer sends a page of its own.
        const [, code = ''] = /"code":"(\w+)"/.exec(Buffer.concat(parts).toString()) ?? [];
        reject(new Error(`${response.statusCode} ${code}`));
      });
    });
  });
  await Promise.race([once(socket, 'open'), refused]);
}

/** A connection after the exchange of hello and welcome. */
export async function welcomeWidget(
  url: string,
  origin: string,
  credentials: { apiKey?: string; userToken?: string; visitorToken?: string },
): Promise<WidgetClient & { visitorToken: string }> {
  const client = await openWidget(url, { origin });
  client.send({ type: 'hello', ...credentials });
  const welcome = await client.next('welcome');
  return { ...client, visitorToken: welcome.visitorToken ?? '' };
}
