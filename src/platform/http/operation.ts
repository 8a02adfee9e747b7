import type { Context } from 'koa';
import type { z } from 'zod';
import type { Actor, Permission } from '../actor.js';
import type { App } from '../app.js';
import type { ErrorCode } from '../errors.js';
import type { CamelKeys } from '../wire-names.js';
import type { LimitClass } from './request-limits.js';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** What a handler is given: already checked against the operation's schemas, its fields by the names of the code. */
export interface OperationRequest<P, Q, B> {
  actor: Actor;
  /** Who calls by now: refuses as the call itself would, once the credential or the right to it has ended. */
  identify: () => Promise<Actor>;
  params: P;
  query: Q;
  body: B;
  /** For what JSON in and JSON out can't do: uploads and event streams. */
  ctx: Context;
}

export interface Reply {
  /** Left out, the first that the operation declares. */
  status?: number;
  /** JSON, or a stream with its content type among the headers; undefined for an empty answer. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** The parts of the interface, in the order in which its description shows them. */
export const tags = [
  'Knowledge',
  'Ingestion',
  'Requests',
  'Notifications',
  'Conversations',
  'Account',
  'Administration',
  'Widget',
  'Service',
] as const;
export type Tag = (typeof tags)[number];

/**
 * Whom an operation serves: `anyone` (no credential is looked at), `optional` (none means anonymous, an
 * invalid one is refused), `widget` (a page of an app, with its key or an end user's token), `host_backend` (a widget
 * key with its secret), or the right that a bearer needs.
 */
export type Access = 'anyone' | 'optional' | 'widget' | 'host_backend' | Permission;

/** One endpoint, declared once: its route, who may call it, what it takes and gives. */
export interface Operation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
> {
  method: Method;
  /** As the router has it: `/api/knowledge/:id`. */
  path: string;
  tag: Tag;
  summary: string;
  access: Access;
  /** What it costs beyond the ordinary: it is limited by that too. */
  limit?: LimitClass;
  params?: P;
  query?: Q;
  /** Takes whatever query there is for none, however it is written. */
  ignoresQuery?: boolean;
  /** Of a JSON body. */
  body?: B;
  /** Of a multipart form instead: the field that holds the file, its media type, and the other fields. */
  upload?: { file: string; mediaType: string; fields: z.ZodType };
  /** Each success's shape. A reply is parsed by it, so that nothing it does not name can leak. */
  replies: Record<number, z.ZodType | undefined>;
  /** Headers that its successes carry beyond the Location of a 201. */
  replyHeaders?: ('ETag' | 'Location' | 'Set-Cookie')[];
  /** A success is a stream of events instead for those who accept `text/event-stream` and no JSON before it. */
  streams?: boolean;
  /** A success shows a secret, this once. */
  showsSecret?: boolean;
  /** The content type of a success that is no JSON. */
  produces?: string;
  /** Refusals of its own, beyond those of its access and its shapes. */
  refusals?: ErrorCode[];
  /** No reply is a 204. */
  handle(
    app: App,
    request: OperationRequest<
      CamelKeys<z.output<P>>,
      CamelKeys<z.output<Q>>,
      CamelKeys<z.output<B>>
    >,
  ): Promise<Reply | undefined>;
}

/** Infers the handler's types from the schemas. */
export function operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  declared: Operation<P, Q, B>,
): Operation {
  // Sound because serveOperation calls `handle` with what these very schemas parsed, and in no other way.
  return declared;
}
