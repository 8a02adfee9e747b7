import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, errorCodes } from '../platform/errors.js';
import type { Problem } from '../platform/http/problems.js';
import { isRefusal } from './answer-frames.js';

/** Answers a request for a WebSocket with a problem, as any other request is, and ends its connection. */
export function refuseUpgrade(socket: Duplex, error: unknown): void {
  const { code, message, retryAfterSeconds } = isRefusal(error)
    ? error
    : new AppError('internal', 'Something went wrong here. The log of the server has the reason.');
  const { status } = errorCodes[code];
  const problem: Problem = {
    type: `urn:assistant:problem:${code}`,
    title: code.replaceAll('_', ' '),
    ...{ status, detail: message, code, request_id: randomUUID() },
  };
  const body = Buffer.from(JSON.stringify(problem));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${body.length}`,
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
    'Connection: close',
    ...['', ''],
  ].join('\r\n');
  socket.once('finish', () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(head), body]));
}
