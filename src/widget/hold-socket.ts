import type { WebSocket } from 'ws';
import type { App } from '../platform/app.js';
import { createRateLimiter } from '../platform/http/rate-limiter.js';
import type { RequestLimits } from '../platform/http/request-limits.js';
import { createBoundedSender } from './bounded-sender.js';
import type { ConcurrencyLimit } from '../platform/concurrency-limit.js';
import { closeCodes } from '../chat/protocol.js';
import { openSession } from './socket-session.js';
import type { NotificationWatch } from './watch-notifications.js';

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

export const usualTimings: SocketTimings = {
  hello: 10_000,
  heartbeat: 30_000,
  stuck: 30_000,
  closing: 2000,
};

/** Frames of one connection a minute, whatever they say; beyond it the connection ends. */
const framesPerMinute = 600;

export interface HeldSocket {
  /** Lets the answers under way end, then closes with 1001. */
  stop(): Promise<void>;
  cut(): void;
}

/**
 * Keeps the rules of a connection around its session: a hello in time, text frames only and not too many, signs of
 * life, and an end that does not wait for the client. `ended` is called once, when it is over.
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
    /** Of which each app has so many. */
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
  /** Counts a frame, which is a sign of life as well. */
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
  // What is no WebSocket frame, or too large, ends the connection by itself; its code says why.
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
