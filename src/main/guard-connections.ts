import { type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import { AppError } from '../platform/errors.js';
import { refuseConnection } from '../platform/http/problems.js';
import { socketPath } from '../chat/protocol.js';

/** The errors for requests that Node's HTTP parser could not read, by its code. */
const faults: Record<string, () => AppError> = {
  HPE_HEADER_OVERFLOW: () =>
    new AppError('headers_too_large', 'The address and the headers of the request are too long.'),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new AppError('request_timeout', 'The request did not come in time. Send it again.'),
};

/**
 * Answers with a problem the requests that Node refuses before the application: invalid HTTP, too long or too slow
 * requests, and unsupported expectations.
 */
export function refuseUnreadable(server: Server): void {
  /** The response that is being sent on each connection. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  /** Ends with the last refusal. Node reports all late requests at once, and others are answered in between. */
  let refusals = Promise.resolve();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    answers.set(socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    refusals = refusals.then(async () => {
      const answer = answers.get(socket);
      // Nothing can be sent in the middle of an answer, or to a client that is gone.
      const isBegun = answer?.headersSent === true && !answer.writableFinished;
      if (isBegun || !socket.writable || error.code === 'ECONNRESET') socket.destroy();
      else refuseConnection(socket, (faults[error.code ?? ''] ?? unreadable)());
      await nextTurn();
    });
  });
  server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    const sentence =
      'Only the expectation 100-continue is supported: send the request without the others.';
    refuseConnection(socket, new AppError('expectation_failed', sentence));
  });
}

function unreadable(): AppError {
  return new AppError('invalid_request', 'The request is not valid HTTP.');
}

/**
 * An operating system accepts more of an answer once a third of its buffer (up to 2 MB) was sent, so a slow reader
 * needs this many times longer than `stallMs`.
 */
const patience = 4;

/**
 * Ends the connection of a client that reads nothing of its complete answer for four times `stallMs`, because the rest
 * waits in memory. Slow readers and unfinished answers are not affected.
 */
export function endUnread(server: Server, stallMs: number): void {
  const ms = patience * stallMs;
  // Prepended, because the answer may be sent at once.
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    // Without a listener, Node destroys a socket that times out.
    response.once('prefinish', () => socket.setTimeout(ms));
    // Node sets the idle timeout now, but not when another request waits on the connection.
    response.once('finish', () => {
      if (socket.timeout === ms) socket.setTimeout(0);
    });
  });
}

/** Browsers send one request at a time on a connection, and few other clients send more. */
const most = 16;

/**
 * Ends a connection with too many pipelined requests: a few bytes each can arrive in one packet, and all other clients
 * would wait until each one is started.
 */
export function boundPipelines(answer: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    // It arrived in one packet with the request that was too many.
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

/**
 * Passes requests for the widget's WebSocket to `upgrade`. Node reports every request here that asks for another
 * protocol, as some clients always do (`Upgrade: h2c`); those are answered normally.
 */
export function routeUpgrades(
  server: Server,
  answer: RequestListener,
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    if (isWebSocket && request.url?.replace(/\?.*$/s, '') === socketPath) {
      upgrade(request, socket, head);
    } else if (/^(GET|HEAD)$/.test(request.method ?? '') && socket instanceof Socket) {
      answerOnce(request, socket, answer);
    } else {
      const sentence =
        'No other protocol is supported here: send the request without the header Upgrade.';
      refuseConnection(socket, new AppError('invalid_request', sentence));
    }
  });
}

/** Node no longer manages this connection, so it ends with this answer. */
function answerOnce(request: IncomingMessage, socket: Socket, answer: RequestListener): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  socket.on('error', () => socket.destroy());
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  answer(request, response);
}
