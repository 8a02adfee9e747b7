import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '../platform/errors.js';
import { refuseConnection } from '../platform/http/refuse-connection.js';

/** What is wrong with what a parser of HTTP could not read, by its code. */
const faults: Record<string, () => AppError> = {
  HPE_HEADER_OVERFLOW: () =>
    new AppError('headers_too_large', 'The address and the headers of the request are too long.'),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new AppError('request_timeout', 'The request did not come in time. Send it again.'),
};

/**
 * Answers with a problem what Node refuses by itself, before any of the application is asked: what is no HTTP, too long
 * or too slow, and expectations that nobody meets.
 */
export function refuseUnreadable(server: Server): void {
  /** What a connection is being answered just now. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    answers.set(socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const answer = answers.get(socket);
    // Nothing can be said in the middle of an answer, or to a client that is gone.
    const isBegun = answer?.headersSent === true && !answer.writableFinished;
    if (isBegun || !socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else refuseConnection(socket, (faults[error.code ?? ''] ?? unreadable)());
  });
  server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    const sentence = 'Of expectations only 100-continue is met here: send it without the others.';
    refuseConnection(socket, new AppError('expectation_failed', sentence));
  });
}

function unreadable(): AppError {
  return new AppError('invalid_request', 'The request is no HTTP that can be read.');
}
