import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'koa';
import { nameOf, type Actor } from '../actor.js';
import type { App } from '../app.js';
import { noTracing, type Span } from '../tracing.js';
import { onRequestEnd } from './request-end.js';
import { isCounted } from './request-limits.js';

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

/** The methods by their own names, because clients may invent others. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/** The name of a method in metrics and traces. */
export function nameOfMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}

/**
 * Logs and traces each request, and calls `measure` with its outcome, when the answer is sent or the client is gone.
 * Requests of monitoring are not traced, and at level info only their failures are logged: a proxy asks every two seconds.
 */
export function observeRequests(app: App, measure: (outcome: RequestOutcome) => void) {
  const level = app.config.log.requests ? 'info' : 'debug';
  return async (ctx: Context, next: Next): Promise<void> => {
    const started = performance.now();
    const isMonitoring = !isCounted(ctx.path);
    const { tracing } = isMonitoring ? { tracing: noTracing } : app;
    const span = tracing.start(nameOfMethod(ctx.method), { kind: 'server', from: ctx.headers });
    onRequestEnd(ctx, () => {
      const outcome = {
        method: ctx.method,
        route: String(ctx.state['route'] ?? 'none'),
        // Koa's initial status is 404. It means nothing when no answer was begun.
        status: ctx.res.headersSent ? ctx.res.statusCode : unanswered,
        ms: Math.round(performance.now() - started),
      };
      measure(outcome);
      endSpan(span, outcome);
      const { route: path, ...rest } = outcome;
      const caller = String(ctx.state['caller'] ?? 'anonymous');
      const ids = { request_id: requestIdOf(ctx), trace_id: span.traceId };
      const isRoutine = isMonitoring && outcome.status < 400;
      app.log[isRoutine ? 'debug' : level]({ ...ids, ...rest, path, caller }, 'request');
    });
    await span.run(next);
  };
}

/** By the semantic conventions of OpenTelemetry, without those that hold an address or a query. */
function endSpan(span: Span, { method, route, status }: RequestOutcome): void {
  const name = nameOfMethod(method);
  const facts = { 'http.request.method': name, 'http.response.status_code': status };
  if (route === 'none') span.set(facts);
  else {
    span.rename(`${name} ${route}`);
    span.set({ ...facts, 'http.route': route });
  }
  if (status >= 500) span.fail(String(status));
  span.end();
}
