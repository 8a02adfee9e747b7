import type Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { permissions, requirePermission, type Actor, type Permission } from '../actor.js';
import type { App } from '../app.js';
import { validate } from '../validate.js';
import type { Access, Operation } from './operation.js';
import { readJsonBody } from './read-json-body.js';

/**
 * Tells who calls an operation of this access, by the request's credential. Refuses with `unauthenticated` one that
 * does not hold.
 */
export type Authenticate = (app: App, ctx: Context, access: Access) => Promise<Actor>;

const nothing = z.strictObject({});

/** Puts an operation on the router: credential, right, shapes, handler, reply; in that order. */
export function serveOperation(
  router: Router,
  app: App,
  authenticate: Authenticate,
  operation: Operation,
): void {
  router[operation.method](operation.path, async (ctx) => {
    const { access } = operation;
    const actor: Actor =
      access === 'anyone' ? { kind: 'anonymous' } : await authenticate(app, ctx, access);
    if (access in permissions) requirePermission(actor, access as Permission);
    const reply = await operation.handle(app, {
      actor,
      params: validate(operation.params ?? z.object({}), ctx['params']),
      query: validate(operation.query ?? nothing, { ...ctx.query }),
      body:
        operation.body === undefined
          ? undefined
          : validate(operation.body, await readJsonBody(ctx)),
      ctx,
    });
    const schema = operation.replies[reply.status];
    ctx.status = reply.status;
    ctx.set(reply.headers ?? {});
    // A reply that is not what was declared is a bug of ours, never passed on to a client.
    ctx.body = schema === undefined ? (reply.body ?? null) : schema.parse(reply.body);
  });
}
