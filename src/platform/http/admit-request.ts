import type { Context } from 'koa';
import type { Actor } from '../actor.js';
import type { App } from '../app.js';
import { awaitFirstBytes, endStalledBody } from './read-bytes.js';
import { noteCaller, noteRoute } from './request-facts.js';
import type { LimitClass, RequestLimits } from './request-limits.js';

/** A route's requirements for a request before its body is read. */
export interface Admission {
  /** The declared path, for logs and metrics. */
  route: string;
  /** The most bytes of a body; undefined without one. */
  mostBytes: number | undefined;
  /** False when the route ignores credentials. */
  checksCredential: boolean;
  limit?: LimitClass | undefined;
  /** Identifies the caller. Refuses an invalid credential. */
  identify: () => Promise<Actor>;
  /** Refuses a caller without the right, once the request is counted. */
  requireAccess: (actor: Actor) => void;
}

/**
 * Admits a request in this order: earlier refusal, beginning of the body, credential, limits, right, memory for the
 * body. Returns the caller. Refuses what is not admitted.
 */
export async function admitRequest(
  app: App,
  limits: RequestLimits,
  ctx: Context,
  { route, mostBytes, checksCredential, limit, identify, requireAccess }: Admission,
): Promise<Actor> {
  noteRoute(ctx, route);
  if (checksCredential) limits.refuseAgain(ctx, route);
  if (mostBytes !== undefined) {
    endStalledBody(ctx, app.config.server.stall_timeout_ms);
    if (checksCredential && !ctx.req.complete) await awaitFirstBytes(ctx);
  }
  const actor = await identify();
  noteCaller(ctx, actor);
  await limits.countCaller(ctx, actor, limit);
  requireAccess(actor);
  if (mostBytes !== undefined) limits.holdBody(ctx, actor, mostBytes);
  return actor;
}
