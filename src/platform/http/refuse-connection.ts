import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemOf, refusalOf } from './problems.js';
import { securityHeaderFields } from './security-headers.js';

/** Answers a connection that never reaches the application with a problem, and ends it. */
export function refuseConnection(socket: Duplex, error: unknown): void {
  const refusal = refusalOf(error);
  const problem = problemOf(refusal, randomUUID());
  const body = Buffer.from(JSON.stringify(problem));
  const { retryAfterSeconds } = refusal;
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${body.length}`,
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
    ...Object.entries(securityHeaderFields).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    '',
  ].join('\r\n');
  socket.once('finish', () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(head), body]));
}
