import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import { accountOperations } from '../accounts/accounts.routes.js';
import { tokenOperations } from '../accounts/tokens.routes.js';
import { userOperations } from '../accounts/users.routes.js';
import { conversationOperations } from '../conversations/conversations.routes.js';
import { widgetKeyOperations } from '../federation/widget-keys.routes.js';
import { widgetTokenOperations } from '../federation/widget-token.routes.js';
import { ingestionOperations } from '../ingestion/ingestion.routes.js';
import { domainOperations } from '../knowledge/domains.routes.js';
import { knowledgeOperations } from '../knowledge/knowledge.routes.js';
import { pageOperations } from '../knowledge/page.routes.js';
import { viewOperations } from '../knowledge/views.routes.js';
import { appDeletionOperations } from '../operations/delete-app.routes.js';
import type { App } from '../platform/app.js';
import type { Operation } from '../platform/http/operation.js';
import { answerProblems, requestIdOf } from '../platform/http/problems.js';
import { serveOperation } from '../platform/http/serve-operation.js';
import { tenancyOperations } from '../tenancy/tenancy.routes.js';
import { authenticate } from './authenticate.js';
import { healthOperations } from './health.routes.js';

/** Every endpoint there is. */
export const operations: Operation[] = [
  ...healthOperations,
  ...accountOperations,
  ...userOperations,
  ...tokenOperations,
  ...knowledgeOperations,
  ...pageOperations,
  ...ingestionOperations,
  ...tenancyOperations,
  ...appDeletionOperations,
  ...domainOperations,
  ...viewOperations,
  ...widgetKeyOperations,
  ...widgetTokenOperations,
  ...conversationOperations,
];

/** The HTTP side of an application. Listens to nothing yet. */
export function createServer(app: App): Koa {
  const server = new Koa();
  const router = new Router();
  for (const operation of operations.toSorted(literalsFirst)) {
    serveOperation(router, app, authenticate, operation);
  }
  server.use(identifyRequests(app));
  server.use(answerProblems(app));
  server.use(router.routes());
  server.use(router.allowedMethods());
  server.on('error', (error: unknown) => {
    app.log.debug({ err: error }, 'a connection ended before its answer');
  });
  return server;
}

/** `/api/knowledge/page` is no `/api/knowledge/:id`: the router takes the first path that fits. */
function literalsFirst(a: Operation, b: Operation): number {
  return a.path.replaceAll(/:\w+/g, '~') < b.path.replaceAll(/:\w+/g, '~') ? -1 : 1;
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
