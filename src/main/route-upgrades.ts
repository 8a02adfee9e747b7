import { ServerResponse, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';
import { AppError } from '../platform/errors.js';
import { refuseConnection } from '../platform/http/refuse-connection.js';
import { socketPath } from '../widget/protocol.js';

/**
 * Gives the requests for a WebSocket of the widget to `upgrade`. Node hands every request over here that asks for any
 * other protocol, as some clients do with all that they send (`Upgrade: h2c`); those are answered as if they had not.
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
      const sentence = 'No other protocol is spoken here: send it without the header Upgrade.';
      refuseConnection(socket, new AppError('invalid_request', sentence));
    }
  });
}

/** The connection is out of the server's hands by now: it ends with this answer. */
function answerOnce(request: IncomingMessage, socket: Socket, answer: RequestListener): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  socket.on('error', () => socket.destroy());
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  answer(request, response);
}
