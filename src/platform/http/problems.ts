import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context, Next } from 'koa';
import type { App } from '../app.js';
import {
  AppError,
  errorCodes,
  internalError,
  isRefusal,
  problemsOf,
  type ErrorCode,
  type FieldProblem,
} from '../errors.js';
import { cutOff } from './read-bytes.js';
import { requestIdOf } from './request-facts.js';
import type { RequestLimits } from './request-limits.js';
import { securityHeaderFields } from './security-headers.js';

/** An error in the format of RFC 9457 (`application/problem+json`), with a stable `code`. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  errors?: FieldProblem[];
  request_id: string;
}

/** Answers a refused request. */
export type WriteRefusal = (ctx: Context, error: AppError) => void | Promise<void>;

/**
 * The outermost middleware. Converts thrown errors to problems, and unanswered requests to `not_found` or
 * `method_not_allowed`. Any error that is not an AppError is a bug: it is logged in full and shown as `internal`.
 * `writerOf` chooses another form of the answer than problems, for pages that people read.
 */
export function answerProblems(
  app: App,
  limits: Pick<RequestLimits, 'delayRefusal'>,
  writerOf: (ctx: Context) => WriteRefusal | undefined = () => undefined,
) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
      if (ctx.body === undefined && unanswered.has(ctx.status)) throw unmatched(ctx);
    } catch (error) {
      const refused = refusalOf(app.db.dialect.troubleOf(error) ?? error);
      if (refused.code === 'internal') {
        app.log.error({ err: error, request_id: requestIdOf(ctx) }, 'a request failed');
      }
      if (slowedDown.has(errorCodes[refused.code].status)) await limits.delayRefusal(ctx);
      // A client that is still sending must be able to read the refusal.
      if (!ctx.req.complete) cutOff(ctx);
      if (refused.retryAfterSeconds !== undefined)
        ctx.set('Retry-After', String(refused.retryAfterSeconds));
      await (writerOf(ctx) ?? writeProblem)(ctx, refused);
    }
  };
}

function problemOf(error: AppError, requestId: string): Problem {
  const { code, message } = error;
  return {
    type: `urn:assistant:problem:${code}`,
    title: code.replaceAll('_', ' '),
    status: errorCodes[code].status,
    detail: message,
    code,
    ...problemsOf(error),
    request_id: requestId,
  };
}

function writeProblem(ctx: Context, error: AppError): void {
  const problem = problemOf(error, requestIdOf(ctx));
  const { status } = problem;
  ctx.status = status;
  ctx.body = JSON.stringify(problem);
  ctx.type = 'application/problem+json';
  if (status === 401) ctx.set('WWW-Authenticate', 'Bearer');
}

/** The error that a client sees: the error itself when it is a refusal, else `internal` without details. */
export function refusalOf(error: unknown): AppError {
  if (isRefusal(error)) return error;
  // Koa and its parsers mark client errors with a status, e.g. a path with a broken percent-encoding.
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 400) return new AppError('invalid_request', 'The request could not be read.');
  if (status === 413) return new AppError('body_too_large', 'The body is too large.');
  return internalError();
}

/** Refusals that a client should not repeat: a sender of many waits for each further one. */
const slowedDown = new Set<number>([400, 403, 413, 415, 429]);

/** Statuses that the router sets for an unknown path or method. */
const unanswered = new Set([404, 405, 501]);

function unmatched(ctx: Context): AppError {
  if (ctx.status === 404) return new AppError('not_found', `There is nothing at ${ctx.path}.`);
  const allowed = ctx.response.get('Allow');
  return new AppError(
    'method_not_allowed',
    `${ctx.method} is not possible here. Allowed: ${allowed}.`,
  );
}

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
