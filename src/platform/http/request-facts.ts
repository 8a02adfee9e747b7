import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'koa';
import { nameOf, type Actor } from '../actor.js';
import type { App } from '../app.js';
import { onRequestEnd } from './request-end.js';

/** The facts of a request that logs and metrics may contain: no content of the request. */
export interface RequestOutcome {
  /** The declared path of the operation, `/api/knowledge/:id`, or `none` for an unknown path. */
  route: string;
  method: string;
  status: number;
  ms: number;
}

/** The id of a request in its answer and in the logs. */
export function requestIdOf(ctx: Context): string {
  return String(ctx.state['requestId'] ?? '');
}

export function noteRoute(ctx: Context, route: string): void {
  ctx.state['route'] = route;
}

export function noteCaller(ctx: Context, actor: Actor): void {
  ctx.state['caller'] = nameOf(actor);
}

/** Gives each request an id: the client's own id if it has a plain form, else a new one. The answer repeats it. */
export async function identifyRequest(ctx: Context, next: Next): Promise<void> {
  const given = ctx.get('X-Request-Id');
  ctx.state['requestId'] = /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();
  ctx.set('X-Request-Id', requestIdOf(ctx));
  await next();
}

/** The connection ended, from either side, before an answer began. Proxies log the same status. */
const unanswered = 499;

/** Logs the outcome of each request and calls `measure`, when the answer is sent or the client is gone. */
export function observeRequests(app: App, measure: (outcome: RequestOutcome) => void) {
  const level = app.config.log.requests ? 'info' : 'debug';
  return async (ctx: Context, next: Next): Promise<void> => {
    const started = performance.now();
    onRequestEnd(ctx, () => {
      const outcome = {
        method: ctx.method,
        route: String(ctx.state['route'] ?? 'none'),
        // Koa's initial status is 404. It means nothing when no answer was begun.
        status: ctx.res.headersSent ? ctx.res.statusCode : unanswered,
        ms: Math.round(performance.now() - started),
      };
      measure(outcome);
      const { route: path, ...rest } = outcome;
      const caller = String(ctx.state['caller'] ?? 'anonymous');
      app.log[level]({ request_id: requestIdOf(ctx), ...rest, path, caller }, 'request');
    });
    await next();
  };
}
