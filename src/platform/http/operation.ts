import type { Context } from 'koa';
import type { z } from 'zod';
import type { Actor, Permission } from '../actor.js';
import type { App } from '../app.js';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** What a handler is given: already checked against the operation's schemas. */
export interface OperationRequest<P, Q, B> {
  actor: Actor;
  params: P;
  query: Q;
  body: B;
  /** For what JSON in and JSON out can't do: uploads and event streams. */
  ctx: Context;
}

export interface Reply {
  status: number;
  /** JSON, or a stream with its content type among the headers; undefined for an empty answer. */
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * One endpoint, declared once: its route, who may call it, what it takes and gives. `access` is `anyone` (no
 * credential is looked at), `optional` (none means anonymous, an invalid one is refused), or the right needed.
 */
export interface Operation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
> {
  method: Method;
  /** As the router has it: `/api/knowledge/:id`. */
  path: string;
  summary: string;
  access: 'anyone' | 'optional' | Permission;
  params?: P;
  query?: Q;
  body?: B;
  /** Each success's shape. A reply is parsed by it, so that nothing it does not name can leak. */
  replies: Record<number, z.ZodType | undefined>;
  handle(
    app: App,
    request: OperationRequest<z.output<P>, z.output<Q>, z.output<B>>,
  ): Promise<Reply>;
}

/** Infers the handler's types from the schemas. */
export function operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  declared: Operation<P, Q, B>,
): Operation {
  // Sound because serveOperation calls `handle` with what these very schemas parsed, and in no other way.
  return declared;
}
