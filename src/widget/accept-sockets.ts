import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { App } from '../platform/app.js';
import { AppError, tooMany } from '../platform/errors.js';
import { requireOneHost } from '../platform/http/check-target.js';
import { addressKey } from '../platform/http/client-address.js';
import { refuseConnection } from '../platform/http/problems.js';
import type { RequestLimits } from '../platform/http/request-limits.js';
import { appOfOrigin } from '../tenancy/app-of-origin.js';
import { originNotAllowed, requireOrigin } from './authenticate-widget.js';
import { holdSocket, usualTimings, type HeldSocket, type SocketTimings } from './hold-socket.js';
import { createConcurrencyLimit } from '../platform/concurrency-limit.js';
import { watchNotifications } from './watch-notifications.js';

export interface WidgetSockets {
  /** Accepts a WebSocket connection, or refuses it with a problem over HTTP. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Accepts no new connections, waits for the running answers, and closes all with 1001. Cuts them at the timeout. */
  stop(timeoutMs: number): Promise<void>;
}

export interface SocketOptions {
  /** The limits that also count requests. */
  limits: RequestLimits;
  /** The client's address of a request, behind trusted proxies. */
  addressOf: (request: IncomingMessage) => string;
  timings?: SocketTimings;
}

/** The most bytes of a frame: a question with its page context, of which the widget sends 32 KB. */
const frameBytes = 128 * 1024;

/** Serves the widget's WebSockets on connections that an HTTP server passes on. */
export async function acceptSockets(
  app: App,
  { limits, addressOf, timings = usualTimings }: SocketOptions,
): Promise<WidgetSockets> {
  const { WebSocketServer } = await import('ws');
  const addresses = createConcurrencyLimit(app.config.widget.sockets_per_address);
  const places = createConcurrencyLimit(app.config.widget.sockets_per_app);
  const watch = watchNotifications(app);
  const held = new Set<HeldSocket>();
  let stopping = false;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: frameBytes,
    perMessageDeflate: false,
    // The session counts pings and answers them.
    autoPong: false,
  });

  /** Resolves to the origin of a page on a registered domain. The hello will show of which app. */
  async function admit(request: IncomingMessage, address: string): Promise<string> {
    requireOneHost(request);
    if (stopping) throw new AppError('shutting_down', 'The service is shutting down: try again.');
    await limits.countFrame(address, undefined, undefined);
    const origin = requireOrigin(request.headers.origin);
    if ((await appOfOrigin(app, origin)) === undefined) throw originNotAllowed(origin);
    return origin;
  }

  function accept(request: IncomingMessage, socket: Duplex, head: Buffer, origin: string): void {
    const address = addressOf(request);
    const place = addressKey(address);
    if (!addresses.take(place)) throw tooMany('connections at once from one address');
    // handleUpgrade calls back immediately or refuses an invalid handshake itself.
    const opened: WebSocket[] = [];
    server.handleUpgrade(request, socket, head, (one) => opened.push(one));
    const [one] = opened;
    if (one === undefined) {
      addresses.leave(place);
      return;
    }
    const entry = holdSocket(app, one, {
      address,
      origin,
      limits,
      timings,
      places,
      follow: (person, tell) => watch.follow(person, tell),
      ended: () => {
        addresses.leave(place);
        held.delete(entry);
      },
    });
    held.add(entry);
    // It arrived while the server was being stopped.
    if (stopping) void entry.stop();
  }

  return {
    upgrade(request, socket, head) {
      // The client left before the check ended, so there is nobody to answer.
      socket.on('error', () => socket.destroy());
      admit(request, addressOf(request))
        .then((origin) => accept(request, socket, head, origin))
        .catch((error: unknown) => {
          if (!(error instanceof AppError)) app.log.error({ err: error }, 'an upgrade failed');
          refuseConnection(socket, error);
        });
    },
    async stop(timeoutMs) {
      stopping = true;
      const timer = setTimeout(() => held.forEach((one) => one.cut()), timeoutMs);
      await Promise.all([...held].map((one) => one.stop()));
      clearTimeout(timer);
      await watch.stop();
    },
  };
}
