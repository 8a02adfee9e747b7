import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'koa';
import { nameOf, type Actor } from '../actor.js';
import type { App } from '../app.js';
import { onRequestEnd } from './request-end.js';

/** What may be told of a request in logs and measures: nothing that was sent in it. */
export interface RequestOutcome {
  /** The path as its operation declares it, `/api/knowledge/:id`, or `none` where there is no operation. */
  route: string;
  method: string;
  status: number;
  ms: number;
}

/** The id that names a request in its answer and in the logs. */
export function requestIdOf(ctx: Context): string {
  return String(ctx.state['requestId'] ?? '');
}

export function noteRoute(ctx: Context, route: string): void {
  ctx.state['route'] = route;
}

export function noteCaller(ctx: Context, actor: Actor): void {
  ctx.state['caller'] = nameOf(actor);
}

/** Gives each request its id: its own where that is a plain one, else a new one. Answers with it. */
export async function identifyRequest(ctx: Context, next: Next): Promise<void> {
  const given = ctx.get('X-Request-Id');
  ctx.state['requestId'] = /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();
  ctx.set('X-Request-Id', requestIdOf(ctx));
  await next();
}

/** As proxies log it: the connection ended, from either side, before an answer was begun. */
const unanswered = 499;

/** Logs what became of each request, and tells `measure`; when its answer is out, or nobody waits for it. */
export function observeRequests(app: App, measure: (outcome: RequestOutcome) => void) {
  const level = app.config.log.requests ? 'info' : 'debug';
  return async (ctx: Context, next: Next): Promise<void> => {
    const started = performance.now();
    onRequestEnd(ctx, () => {
      const outcome = {
        method: ctx.method,
        route: String(ctx.state['route'] ?? 'none'),
        // Koa's first status is 404: it says nothing where no answer was begun.
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
