import { z } from 'zod';
import type { Actor } from '../actor.js';
import type { App } from '../app.js';
import type { Page, Paged } from '../db/select-page.js';
import type { ErrorCode } from '../errors.js';
import type { CamelKeys } from '../wire-names.js';
import { operation, type Access, type Operation, type Tag } from './operation.js';
import { listOf, listReply, pagingQuery } from './paging.js';

/** The declaration of one operation of a resource. `access` is needed only where it differs from the resource's. */
interface Declared {
  summary: string;
  access?: Access;
  refusals?: ErrorCode[];
}

type Shape = Record<string, z.ZodType>;
type Id<P extends z.ZodObject> = z.output<P>[keyof z.output<P>];

/** A kind of record that clients manage. Each declared operation exists, with its use-case as `run`. */
interface Resource<
  P extends z.ZodObject,
  R extends z.ZodType,
  T,
  Q extends Shape,
  C extends z.ZodType,
  M,
  U extends z.ZodType,
> {
  /** The path of the list: `/api/admin/views`. One record is at `/api/admin/views/:id`. */
  base: string;
  tag: Tag;
  access: Access;
  /** The path parameters of one record: an object with one key. */
  params: P;
  reply: R;
  present: (item: T) => z.output<R>;
  list?: Declared & {
    /** Query parameters besides page and limit. */
    query?: Q;
    run: (
      app: App,
      actor: Actor,
      query: Page & CamelKeys<z.output<z.ZodObject<Q>>>,
    ) => Promise<Paged<T>>;
  };
  create?: Declared & {
    body: C;
    run: (app: App, actor: Actor, body: CamelKeys<z.output<C>>) => Promise<M>;
    /** Needed when the answer shows a secret that a later read does not show. */
    reply?: z.ZodType;
    present?: (made: M) => { id: unknown };
  };
  show?: Declared & { run: (app: App, actor: Actor, id: Id<P>) => Promise<T> };
  update?: Declared & {
    body: U;
    run: (app: App, actor: Actor, id: Id<P>, change: CamelKeys<z.output<U>>) => Promise<T>;
  };
  delete?: Declared & { run: (app: App, actor: Actor, id: Id<P>) => Promise<unknown> };
}

/** The operations of a resource, in the order of their declaration above. */
export function resource<
  P extends z.ZodObject,
  R extends z.ZodType,
  T,
  Q extends Shape = Record<string, never>,
  C extends z.ZodType = z.ZodType,
  M = T,
  U extends z.ZodType = z.ZodType,
>(declared: Resource<P, R, T, Q, C, M, U>): Operation[] {
  const { base, tag, access, params, reply, present } = declared;
  const [name = 'id'] = Object.keys(params.shape);
  const path = `${base}/:${name}`;
  const idOf = (named: unknown) => Object.values(named as object)[0] as Id<P>;
  const operations: Operation[] = [];
  if (declared.list) {
    const { query, run, ...rest } = declared.list;
    operations.push(
      operation({
        method: 'get',
        path: base,
        tag,
        access,
        ...rest,
        query: z.strictObject({ ...pagingQuery, ...(query as Q) }),
        replies: { 200: listOf(reply) },
        async handle(app, { actor, query }) {
          const asked = query as Page & CamelKeys<z.output<z.ZodObject<Q>>>;
          return listReply(await run(app, actor, asked), asked, present);
        },
      }),
    );
  }
  if (declared.create) {
    const { body, run, reply: told = reply, present: tell = present, ...rest } = declared.create;
    operations.push(
      operation({
        method: 'post',
        path: base,
        tag,
        access,
        ...rest,
        body,
        replies: { 201: told },
        showsSecret: told !== reply,
        async handle(app, { actor, body }) {
          const made = (tell as (made: M) => { id: unknown })(await run(app, actor, body));
          return { body: made, headers: { Location: `${base}/${String(made.id)}` } };
        },
      }),
    );
  }
  if (declared.show) {
    const { run, ...rest } = declared.show;
    operations.push(
      operation({
        method: 'get',
        path,
        tag,
        access,
        ...rest,
        params,
        replies: { 200: reply },
        handle: async (app, { actor, params }) => ({
          body: present(await run(app, actor, idOf(params))),
        }),
      }),
    );
  }
  if (declared.update) {
    const { body, run, ...rest } = declared.update;
    operations.push(
      operation({
        method: 'put',
        path,
        tag,
        access,
        ...rest,
        params,
        body,
        replies: { 200: reply },
        handle: async (app, { actor, params, body }) => ({
          body: present(await run(app, actor, idOf(params), body)),
        }),
      }),
    );
  }
  if (declared.delete) {
    const { run, ...rest } = declared.delete;
    operations.push(
      operation({
        method: 'delete',
        path,
        tag,
        access,
        ...rest,
        params,
        replies: { 204: undefined },
        async handle(app, { actor, params }) {
          await run(app, actor, idOf(params));
        },
      }),
    );
  }
  return operations;
}
