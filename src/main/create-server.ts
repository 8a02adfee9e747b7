import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import { accountOperations } from '../accounts/accounts.routes.js';
import { authenticateBearer } from '../accounts/authenticate.js';
import { conversationOperations } from '../conversations/conversations.routes.js';
import { authenticateWidgetKey } from '../federation/authenticate-widget-key.js';
import { ingestionOperations } from '../ingestion/ingestion.routes.js';
import { knowledgeOperations } from '../knowledge/knowledge.routes.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import type { Operation } from '../platform/http/operation.js';
import { answerProblems, requestIdOf } from '../platform/http/problems.js';
import { serveOperation } from '../platform/http/serve-operation.js';
import { healthOperations } from './health.routes.js';

/** Every endpoint there is. */
export const operations: Operation[] = [
  ...healthOperations,
  ...accountOperations,
  ...knowledgeOperations,
  ...ingestionOperations,
  ...conversationOperations,
];

/** The HTTP side of an application. Listens to nothing yet. */
export function createServer(app: App): Koa {
  const server = new Koa();
  const router = new Router();
  for (const operation of operations) serveOperation(router, app, authenticate, operation);
  server.use(identifyRequests(app));
  server.use(answerProblems(app));
  server.use(router.routes());
  server.use(router.allowedMethods());
  server.on('error', (error: unknown) => {
    app.log.debug({ err: error }, 'a connection ended before its answer');
  });
  return server;
}

/**
 * Who calls: a bearer token, a widget key, or, with neither, nobody. Two credentials at once are refused,
 * as is one that does not hold: it must never pass for none.
 */
async function authenticate(app: App, ctx: Context): Promise<Actor> {
  // An empty header is a credential that does not hold, not the absence of one.
  const { authorization, 'x-widget-key': widgetKey } = ctx.req.headers;
  if (authorization !== undefined && widgetKey !== undefined) {
    throw new AppError('unauthenticated', 'Send either Authorization or X-Widget-Key, not both.');
  }
  if (widgetKey !== undefined) return authenticateWidgetKey(app, String(widgetKey));
  if (authorization === undefined) return { kind: 'anonymous' };
  const token = /^Bearer +([^\s]+)$/i.exec(authorization)?.[1];
  if (token === undefined) {
    throw new AppError('unauthenticated', 'Send the token as: Authorization: Bearer <token>.');
  }
  return authenticateBearer(app, token);
}

/** Gives each request its id, answers with it, and logs what became of the request: no texts, no secrets. */
function identifyRequests(app: App) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const given = ctx.get('X-Request-Id');
    ctx.state['requestId'] = /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();
    ctx.set('X-Request-Id', requestIdOf(ctx));
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Cache-Control', 'no-store');
    const started = performance.now();
    try {
      await next();
    } finally {
      const { method, path, status } = ctx;
      const ms = Math.round(performance.now() - started);
      app.log.debug({ request_id: requestIdOf(ctx), method, path, status, ms }, 'request');
    }
  };
}
