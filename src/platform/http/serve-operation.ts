import { Readable } from 'node:stream';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { type Actor, type Permission, permissions, requirePermission } from '../actor.js';
import type { App } from '../app.js';
import { AppError, type FieldProblem } from '../errors.js';
import { mostProblems, validate } from '../validate.js';
import { camelKeys } from '../wire-names.js';
import { checkTexts, refuse } from './check-texts.js';
import { endStalledBody } from './cut-off.js';
import type { Access, Operation, Reply } from './operation.js';
import { parseJson } from './parse-json.js';
import { awaitFirstBytes, readBytes } from './read-bytes.js';
import { noteCaller, noteRoute } from './request-facts.js';
import type { RequestLimits } from './request-limits.js';

/**
 * Tells who calls an operation of this access, by the request's credential. Refuses with `unauthenticated` one that
 * does not hold.
 */
export type Authenticate = (app: App, ctx: Context, access: Access) => Promise<Actor>;

const nothing = z.strictObject({});
const anything = z.object({});

/**
 * Puts an operation on the router: a body's beginning, credential, limits, right, shapes, handler, reply; in that order.
 */
export function serveOperation(
  router: Router,
  app: App,
  authenticate: Authenticate,
  limits: RequestLimits,
  operation: Operation,
): void {
  const { access, body: shape } = operation;
  const takesBody = shape !== undefined || operation.upload !== undefined;

  async function callerOf(ctx: Context): Promise<Actor> {
    return access === 'anyone' ? { kind: 'anonymous' } : authenticate(app, ctx, access);
  }

  function requireAccess(actor: Actor): Actor {
    if (access in permissions) requirePermission(actor, access as Permission);
    return actor;
  }

  router[operation.method](operation.path, async (ctx) => {
    noteRoute(ctx, operation.path);
    if (takesBody) {
      endStalledBody(ctx, app.config.server.stall_timeout_ms);
      if (access !== 'anyone' && !ctx.req.complete) await awaitFirstBytes(ctx);
    }
    const bodyIsHere = ctx.req.complete;
    const first = await callerOf(ctx);
    noteCaller(ctx, first);
    limits.countCaller(ctx, first, operation.limit);
    requireAccess(first);
    if (takesBody) limits.holdBody(ctx, first, mostBytesOf(app, operation));
    const params: unknown = ctx['params'];
    checkTexts(params);
    const readBody = async () =>
      shape && validate(shape, await readJsonBody(ctx, kilobytesOf(operation)));
    const given = {
      params: camelKeys(validate(operation.params ?? anything, params)),
      query: camelKeys(validate(operation.query ?? nothing, queryOf(ctx, operation))),
      body: shape && camelKeys(await limits.takeBody(ctx, first, readBody)),
    };
    const identify = async () => requireAccess(await callerOf(ctx));
    // A body may take hours to arrive. Access that ended meanwhile opens nothing.
    const actor = shape === undefined || bodyIsHere ? first : await identify();
    const reply = await operation.handle(app, { ...given, actor, identify, ctx });
    // Storing it may have waited for what ended the caller's access: nobody is told a secret that outlives it.
    if (operation.showsSecret === true) await identify();
    send(ctx, operation, reply);
  });
}

/**
 * Answers with a reply in its declared shape. A handler's reply of another shape is a bug, and never reaches a client.
 */
function send(ctx: Context, operation: Operation, reply: Reply = { status: 204 }): void {
  const status = reply.status ?? Number(Object.keys(operation.replies)[0]);
  const isStream = operation.streams === true && reply.body instanceof Readable;
  const schema = isStream ? undefined : operation.replies[status];
  const body = schema === undefined ? (reply.body ?? null) : schema.parse(reply.body);
  ctx.status = status;
  ctx.set(reply.headers ?? {});
  ctx.body = body;
}

function queryOf(ctx: Context, { ignoresQuery }: Operation): Record<string, string> {
  return ignoresQuery === true ? {} : readQuery(ctx.querystring);
}

/** The most bytes that any body of an operation may have. */
function mostBytesOf({ config }: App, operation: Operation): number {
  const kilobytes =
    operation.upload === undefined ? kilobytesOf(operation) : config.ingestion.max_file_mb * 1024;
  return kilobytes * 1024;
}

/**
 * The most kilobytes that a JSON body may have. Without a credential, or with a secret to be checked, it is a few
 * fields.
 */
function kilobytesOf({ access }: Operation): number {
  return access === 'anyone' || access === 'host_backend' ? 8 : 1024;
}

/**
 * The request's JSON body: an object or a list. `kilobytes` is what it may have at most, unpacked. Refuses with
 * `unsupported_media_type` what does not say that it is JSON, `body_too_large` what is larger, `invalid_request` what
 * is missing or has texts that can't be stored; what parseJson refuses.
 */
export async function readJsonBody(ctx: Context, kilobytes: number): Promise<unknown> {
  const { 'transfer-encoding': chunked, 'content-length': length = '0' } = ctx.req.headers;
  if (chunked === undefined && Number(length) === 0) {
    throw new AppError('invalid_request', 'The body is missing.');
  }
  if (typeof ctx.is('json', '+json') !== 'string') {
    throw new AppError(
      'unsupported_media_type',
      'Send the body as JSON, with Content-Type: application/json.',
    );
  }
  const bytes = await readBytes(ctx, kilobytes * 1024, () => {
    return new AppError('body_too_large', `The body is larger than ${kilobytes} KB.`);
  });
  return parseJson(bytes, 'body', (value) => {
    checkTexts(value);
    return value;
  });
}

/**
 * The parameters of a query string. Refuses with `invalid_request` one that is given twice (which of them is
 * meant?), one whose percent-encoding is broken, and texts that can't be stored; the first 20 of them.
 */
export function readQuery(querystring: string): Record<string, string> {
  const given = new Map<string, string>();
  const problems: FieldProblem[] = [];
  for (const part of querystring.split('&')) {
    if (problems.length >= mostProblems) break;
    if (part === '') continue;
    const [, written = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    const name = decode(written);
    if (name === undefined) {
      problems.push({ path: written.slice(0, 60), message: badEncoding });
      continue;
    }
    const text = decode(value);
    if (text === undefined) problems.push({ path: name, message: badEncoding });
    else if (given.has(name)) {
      problems.push({ path: name, message: 'given more than once; send it once' });
    } else given.set(name, text);
  }
  refuse(problems);
  const query = Object.fromEntries(given);
  checkTexts(query);
  return query;
}

const badEncoding = 'its percent-encoding is broken; encode it as UTF-8';

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
