import type { WebSocket } from 'ws';
import type { App } from '../platform/app.js';
import { createRateLimiter } from '../platform/http/rate-limiter.js';
import type { RequestLimits } from '../platform/http/request-limits.js';
import type { ConcurrencyLimit } from '../platform/concurrency-limit.js';
import { closeCodes, type ServerFrame } from '../chat/protocol.js';
import { openSession } from './socket-session.js';
import type { NotificationWatch } from './watch-notifications.js';

/** In milliseconds. */
export interface SocketTimings {
  /** The time limit of the hello after the connection was opened. */
  hello: number;
  /** The interval of pings: a client without an answer by the next one is gone. */
  heartbeat: number;
  /** How long a client may read nothing while frames wait for it. */
  stuck: number;
  /** How long a client may take to confirm the end of the connection. */
  closing: number;
}

export const usualTimings: SocketTimings = {
  hello: 10_000,
  heartbeat: 30_000,
  stuck: 30_000,
  closing: 2000,
};

/** The most frames of a connection per minute, of any kind; beyond it, the connection ends. */
const framesPerMinute = 600;

export interface HeldSocket {
  /** Waits for the running answers, then closes with 1001. */
  stop(): Promise<void>;
  cut(): void;
}

/**
 * Enforces the rules of a connection around its session: a hello in time, only text frames and not too many, pings, and
 * an end that does not wait for the client. `ended` is called once, at the end.
 */
export function holdSocket(
  app: App,
  socket: WebSocket,
  {
    timings,
    places,
    ended,
    ...from
  }: {
    address: string;
    origin: string;
    limits: RequestLimits;
    timings: SocketTimings;
    /** The connections of each app. */
    places: ConcurrencyLimit;
    follow: NotificationWatch['follow'];
    ended: () => void;
  },
): HeldSocket {
  const frames = createRateLimiter(app.clock, framesPerMinute);
  const sender = createBoundedSender(socket, timings.stuck);
  let place: string | undefined;
  let alive = true;
  let cut: NodeJS.Timeout | undefined;
  const close = (code: number, reason: string) => {
    socket.close(code, reason);
    cut ??= setTimeout(() => socket.terminate(), timings.closing);
  };
  const session = openSession(app, {
    ...from,
    close,
    send: (frame) => sender.send(frame),
    occupy(appId) {
      const wanted = String(appId);
      if (socket.readyState !== socket.OPEN || !places.take(wanted)) return false;
      if (place !== undefined) places.leave(place);
      place = wanted;
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
  /** Counts a frame, which also proves that the client is alive. */
  const isTooMany = () => {
    alive = true;
    if (frames.take('').allowed) return false;
    close(closeCodes.policyViolation, 'too many frames');
    return true;
  };
  socket.on('pong', () => (alive = true));
  socket.on('ping', (data) => {
    if (!isTooMany()) socket.pong(data);
  });
  socket.on('message', (data, isBinary) => {
    if (socket.readyState !== socket.OPEN || isTooMany()) return;
    if (isBinary) close(closeCodes.unsupportedData, 'text frames only');
    else session.receive(data as Buffer);
  });
  // An invalid or too large frame ends the connection by itself, with its own code.
  socket.on('error', (error) => app.log.debug({ err: error }, 'a widget’s connection failed'));
  socket.once('close', (code) => {
    clearTimeout(hello);
    clearTimeout(cut);
    clearInterval(heartbeat);
    session.end();
    if (place !== undefined) places.leave(place);
    place = undefined;
    app.log.debug({ code }, 'a widget’s connection ended');
    ended();
  });
  return {
    async stop() {
      await session.finish();
      close(closeCodes.goingAway, 'the server is stopping');
    },
    cut: () => socket.terminate(),
  };
}

/** Bytes that may wait to be sent before the producer has to wait. */
const highWater = 256 * 1024;
/** Bytes at which the connection is cut, because its client does not read. */
const most = 4 * 1024 * 1024;

interface BoundedSender {
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
