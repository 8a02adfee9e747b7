import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { addressKey } from '../platform/http/client-address.js';
import { createRateLimiter } from '../platform/http/rate-limiter.js';
import type { RequestLimits } from '../platform/http/request-limits.js';
import { createBoundedSender } from './bounded-sender.js';
import { appOfOrigin, originNotAllowed, requireOrigin } from './check-origin.js';
import { createPlaces } from './places.js';
import { closeCodes } from './protocol.js';
import { refuseUpgrade } from './refuse-upgrade.js';
import { openSession } from './socket-session.js';

export interface WidgetSockets {
  /** Takes over a connection that asks to become a WebSocket, or refuses it with a problem over HTTP. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Takes no new ones, lets the answers under way end, and closes all with 1001; at the timeout cuts them. */
  stop(timeoutMs: number): Promise<void>;
}

/** In milliseconds. */
export interface SocketTimings {
  /** From the connection to its hello. */
  hello: number;
  /** Between two signs of life: who has given none by the next is gone. */
  heartbeat: number;
  /** How long a client may read nothing while more waits for it. */
  stuck: number;
  /** How long a client may take to answer that the connection is over. */
  closing: number;
}

const usual: SocketTimings = { hello: 10_000, heartbeat: 30_000, stuck: 30_000, closing: 2_000 };

/** Bytes of a frame at most: as of a JSON body. */
const frameBytes = 1024 * 1024;
/** Frames of one connection a minute, whatever they say; beyond it the connection ends. */
const framesPerMinute = 600;

/** The WebSockets of the widget, on connections that an HTTP server hands over. */
export async function acceptSockets(
  app: App,
  { limits, addressOf }: { limits: RequestLimits; addressOf(request: IncomingMessage): string },
  timings: SocketTimings = usual,
): Promise<WidgetSockets> {
  const { WebSocketServer } = await import('ws');
  const { sockets_per_address, sockets_per_app } = app.config.widget;
  const addresses = createPlaces(sockets_per_address);
  const apps = createPlaces(sockets_per_app);
  const stops = new Set<() => Promise<void>>();
  const sockets = new Set<WebSocket>();
  let stopping = false;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: frameBytes,
    perMessageDeflate: false,
    // Answered below, where it is counted.
    autoPong: false,
  });

  /** Resolves to the origin of a page that some app has registered: of which one its hello will tell. */
  async function admit(request: IncomingMessage, address: string): Promise<string> {
    if (stopping) throw new AppError('shutting_down', 'The service is shutting down: try again.');
    limits.countFrame(address, undefined, undefined);
    const origin = requireOrigin(request.headers.origin);
    if ((await appOfOrigin(app, origin)) === undefined) throw originNotAllowed(origin);
    return origin;
  }

  function connect(socket: WebSocket, address: string, origin: string): void {
    const place = addressKey(address);
    const frames = createRateLimiter(app.clock, framesPerMinute);
    const sender = createBoundedSender(socket, timings.stuck);
    let appId: number | undefined;
    let alive = true;
    let cut: NodeJS.Timeout | undefined;
    const close = (code: number, reason: string) => {
      socket.close(code, reason);
      cut ??= setTimeout(() => socket.terminate(), timings.closing);
    };
    const session = openSession(app, {
      ...{ address, origin, limits, close },
      send: (frame) => sender.send(frame),
      occupy(id) {
        if (!apps.take(String(id))) return false;
        if (appId !== undefined) apps.leave(String(appId));
        appId = id;
        return true;
      },
    });
    const hello = setTimeout(() => {
      if (!session.isKnown()) close(closeCodes.unauthenticated, 'no hello');
    }, timings.hello);
    const heartbeat = setInterval(() => {
      if (!alive) socket.terminate();
      alive = false;
      socket.ping();
    }, timings.heartbeat);
    const isTooMany = () => {
      alive = true;
      if (frames.take('').allowed) return false;
      close(closeCodes.policyViolation, 'too many frames');
      return true;
    };
    const stop = async () => {
      await session.finish();
      close(closeCodes.goingAway, 'the server is stopping');
    };
    stops.add(stop);
    sockets.add(socket);
    socket.on('pong', () => (alive = true));
    socket.on('ping', (data) => {
      if (!isTooMany()) socket.pong(data);
    });
    socket.on('message', (data, isBinary) => {
      if (isTooMany()) return;
      if (isBinary) close(closeCodes.unsupportedData, 'text frames only');
      else session.receive((data as Buffer).toString('utf8'));
    });
    // What is no WebSocket frame, or too large, ends the connection by itself; its code says why.
    socket.on('error', (error) => app.log.debug({ err: error }, 'a widget’s connection failed'));
    socket.on('close', (code) => {
      clearTimeout(hello);
      clearTimeout(cut);
      clearInterval(heartbeat);
      session.end();
      stops.delete(stop);
      sockets.delete(socket);
      addresses.leave(place);
      if (appId !== undefined) apps.leave(String(appId));
      app.log.debug({ code }, 'a widget’s connection ended');
    });
  }

  return {
    upgrade(request, socket, head) {
      // Gone before it was looked at: there is nobody to tell.
      socket.on('error', () => socket.destroy());
      const address = addressOf(request);
      const place = addressKey(address);
      admit(request, address).then(
        (origin) => {
          if (!addresses.take(place)) {
            refuseUpgrade(socket, new AppError('rate_limited', 'Too many connections at once.'));
            return;
          }
          let taken = false;
          server.handleUpgrade(request, socket, head, (opened) => {
            taken = true;
            connect(opened, address, origin);
          });
          // It calls back at once, or has refused what is no handshake.
          if (!taken) addresses.leave(place);
        },
        (error: unknown) => {
          if (!(error instanceof AppError)) app.log.error({ err: error }, 'an upgrade failed');
          refuseUpgrade(socket, error);
        },
      );
    },
    async stop(timeoutMs) {
      stopping = true;
      const timer = setTimeout(() => sockets.forEach((socket) => socket.terminate()), timeoutMs);
      await Promise.all([...stops].map((stop) => stop()));
      clearTimeout(timer);
    },
  };
}
