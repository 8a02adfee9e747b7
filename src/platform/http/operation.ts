import type { Context } from 'koa';
import type { z } from 'zod';
import type { Actor, Permission } from '../actor.js';
import type { App } from '../app.js';
import type { ErrorCode } from '../errors.js';
import type { CamelKeys } from '../wire-names.js';
import type { LimitClass } from './request-limits.js';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The input of a handler: validated by the operation's schemas, with camelCase field names. */
export interface OperationRequest<P, Q, B> {
  actor: Actor;
  /** Identifies the caller again. Refuses as the call itself would when the credential or the right has ended. */
  identify: () => Promise<Actor>;
  params: P;
  query: Q;
  body: B;
  /** For uploads and event streams, which JSON cannot express. */
  ctx: Context;
}

export interface Reply {
  /** Default: the first status that the operation declares. */
  status?: number;
  /** JSON, or a stream with its content type in the headers; undefined for an empty answer. */
  body?: unknown;
  /** In place of `body`: JSON in UTF-8, whose maker has parsed it by the operation's schema, for cached answers. */
  json?: Buffer;
  headers?: Record<string, string>;
}

/** The sections of the API description, in order. */
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
 * Who may call an operation. `anyone`: credentials are ignored. `optional`: no credential means anonymous, and an
 * invalid one is refused. `widget`: a page of an app, with its key or an end user's token. `host_backend`: a widget key
 * with its secret. Any other value is the right that a bearer token needs.
 */
export type Access = 'anyone' | 'optional' | 'widget' | 'host_backend' | Permission;

/** One endpoint, declared once: its route, its access, its inputs and its replies. */
export interface Operation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
> {
  method: Method;
  /** In the router's form: `/api/knowledge/:id`. */
  path: string;
  tag: Tag;
  summary: string;
  access: Access;
  /** An additional rate limit for an expensive operation. */
  limit?: LimitClass;
  params?: P;
  query?: Q;
  /** Ignores any query string, even a malformed one. */
  ignoresQuery?: boolean;
  /** Many requests have the same query, without anything secret: it is parsed once, and no handler changes it. */
  repeatsQuery?: boolean;
  body?: B;
  /** A multipart form in place of a JSON body: the file's field, its media type, and the other fields. */
  upload?: { file: string; mediaType: string; fields: z.ZodType };
  /** The schema of each success. Replies are parsed by it, so that no undeclared field can leak. */
  replies: Record<number, z.ZodType | undefined>;
  /** Headers of successes, besides the Location of a 201. */
  replyHeaders?: ('ETag' | 'Location' | 'Set-Cookie')[];
  /** The success is an event stream for clients that prefer `text/event-stream` to JSON. */
  streams?: boolean;
  /** The success shows a secret, only this once. */
  showsSecret?: boolean;
  /** The content types of a success that is not JSON. */
  produces?: string | readonly string[];
  /** The operation's own errors, besides those of its access and schemas. */
  refusals?: ErrorCode[];
  /** Returning no reply answers with 204. */
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
  // This cast is sound: only serveOperation calls `handle`, with values parsed by these schemas.
  return declared;
}
