import { Readable } from 'node:stream';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import {
  type Actor,
  type Permission,
  permissions,
  requirePermission,
  type Role,
} from '../actor.js';
import type { App } from '../app.js';
import { AppError, type FieldProblem } from '../errors.js';
import { remembering } from '../remember.js';
import { mostProblems, validate } from '../validate.js';
import { camelKeys } from '../wire-names.js';
import { admitRequest } from './admit-request.js';
import { checkTexts, refuse } from './check-texts.js';
import type { Access, Operation, Reply } from './operation.js';
import { parseJson } from './parse-json.js';
import { readBytes } from './read-bytes.js';
import type { RequestLimits } from './request-limits.js';

/** Identifies the caller of an operation by the request's credential. Errors: `unauthenticated` for an invalid one. */
export type Authenticate = (app: App, ctx: Context, access: Access) => Promise<Actor>;

const jsonType = 'application/json; charset=utf-8';
/** The most parsed queries that an operation keeps. */
const mostQueries = 2000;
const nothing = z.strictObject({});

/** Answers the requests of an operation. */
export type Serve = (ctx: Context) => Promise<void>;

/**
 * Registers an operation on the router, and returns what it registered. Each request passes in this order: beginning of the body, credential, limits,
 * right, schemas, handler, reply.
 */
export function serveOperation(
  router: Router,
  app: App,
  authenticate: Authenticate,
  limits: RequestLimits,
  operation: Operation,
): Serve {
  const { access, body: shape } = operation;
  const takesBody = shape !== undefined || operation.upload !== undefined;

  async function callerOf(ctx: Context): Promise<Actor> {
    return access === 'anyone' ? { kind: 'anonymous' } : authenticate(app, ctx, access);
  }

  function requireAccess(actor: Actor): Actor {
    if (access in permissions) requirePermission(actor, access as Permission);
    return actor;
  }

  const parseQuery = (querystring: string) =>
    camelKeys(validate(operation.query ?? nothing, readQuery(querystring))) as object;
  const queryOf =
    operation.repeatsQuery === true ? remembering(parseQuery, mostQueries) : parseQuery;

  const serve: Serve = async (ctx) => {
    let bodyIsHere = true as boolean;
    const first = await admitRequest(app, limits, ctx, {
      route: operation.path,
      mostBytes: takesBody ? mostBytesOf(app, operation) : undefined,
      checksCredential: access !== 'anyone',
      limit: operation.limit,
      identify() {
        bodyIsHere = ctx.req.complete;
        return callerOf(ctx);
      },
      requireAccess,
    });
    const readBody = async (sender: string) =>
      shape && validate(shape, await readJsonBody(app, ctx, kilobytesOf(operation), sender));
    const given = {
      params: operation.params === undefined ? {} : readParams(operation.params, ctx['params']),
      query: queryOf(operation.ignoresQuery === true ? '' : ctx.querystring),
      body: shape && camelKeys(await limits.takeBody(ctx, first, readBody)),
    };
    const identify = async () => requireAccess(await callerOf(ctx));
    // A body may take hours to arrive. If the caller's access ended meanwhile, the request is refused.
    const actor = shape === undefined || bodyIsHere ? first : await identify();
    const reply = await operation.handle(app, { ...given, actor, identify, ctx });
    // The caller's access may have ended while the result was stored. A secret must not be shown then, because it would
    // outlive the access.
    if (operation.showsSecret === true) await identify();
    send(ctx, operation, reply);
  };
  router[operation.method](operation.path, serve);
  return serve;
}

/** Sends a reply in its declared shape. A reply of another shape is a bug and never reaches a client. */
function send(ctx: Context, operation: Operation, reply: Reply = { status: 204 }): void {
  const status = reply.status ?? Number(Object.keys(operation.replies)[0]);
  const isStream = operation.streams === true && reply.body instanceof Readable;
  const schema = isStream ? undefined : operation.replies[status];
  const isMade = schema === undefined || reply.json !== undefined;
  const body = isMade ? (reply.json ?? reply.body ?? null) : schema.parse(reply.body);
  ctx.status = status;
  if (reply.json !== undefined) ctx.set('Content-Type', jsonType);
  ctx.set(reply.headers ?? {});
  ctx.body = body;
}

function readParams(shape: z.ZodType, params: unknown): unknown {
  checkTexts(params);
  return camelKeys(validate(shape, params));
}

function mostBytesOf({ config }: App, operation: Operation): number {
  const kilobytes =
    operation.upload === undefined ? kilobytesOf(operation) : config.ingestion.max_file_mb * 1024;
  return kilobytes * 1024;
}

/**
 * The most kilobytes of a JSON body. Requests without a credential, or with a secret to check, have few fields. Who may
 * only ask sends a question with its page. Staff sends texts of entries.
 */
function kilobytesOf({ access }: Operation): number {
  if (access === 'anyone' || access === 'host_backend') return 8;
  if (access === 'optional' || access === 'widget') return 128;
  const holders: readonly Role[] = permissions[access];
  return holders.includes('user') ? 128 : 1024;
}

/**
 * Reads the request's JSON body, an object or a list of at most `kilobytes` unpacked. Errors: `unsupported_media_type`
 * for a body that is not declared as JSON; `body_too_large` for a larger body; `invalid_request` for a missing body or
 * texts that can't be stored. Also refuses what parseJson refuses.
 */
export async function readJsonBody(
  { queues }: Pick<App, 'queues'>,
  ctx: Context,
  kilobytes: number,
  sender?: string,
): Promise<unknown> {
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
  const take = (value: object) => {
    checkTexts(value);
    return value;
  };
  return parseJson(queues.largeBodies, bytes, { named: 'body', sender }, take);
}

/**
 * Parses a query string. Errors: `invalid_request` for a repeated parameter, a broken percent-encoding, and texts that
 * can't be stored. Names at most 20 problems.
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

/** Decodes a percent-encoded text of a query or a form; undefined when its encoding is broken. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
