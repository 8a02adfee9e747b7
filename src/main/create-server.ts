import Router from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import { accountOperations } from '../accounts/accounts.routes.js';
import { secondFactorOperations } from '../accounts/second-factor.routes.js';
import { providerOperations } from '../accounts/sso/providers.routes.js';
import { ssoOperations } from '../accounts/sso/sso.routes.js';
import { tokenOperations } from '../accounts/tokens.routes.js';
import { userOperations } from '../accounts/users.routes.js';
import { searchOperations } from '../answers/search.routes.js';
import { auditOperations } from '../audit/audit.routes.js';
import { serveBackoffice } from '../backoffice/serve-backoffice.js';
import { citingOperations, conversationOperations } from '../conversations/conversations.routes.js';
import { extensionOperations } from '../extension/extension.routes.js';
import { widgetKeyOperations, widgetTokenOperations } from '../federation/federation.routes.js';
import { sourceOperations } from '../sources/sources.routes.js';
import { ingestionOperations } from '../ingestion/ingestion.routes.js';
import { knowledgeOperations, pageOperations } from '../knowledge/knowledge.routes.js';
import { accountLinkOperations } from '../linking/account-links.routes.js';
import { notificationOperations } from '../notifications/notifications.routes.js';
import type { App } from '../platform/app.js';
import { shuttingDown } from '../platform/errors.js';
import { checkTarget, readTarget } from '../platform/http/check-target.js';
import { cors } from '../platform/http/cors.js';
import type { Operation } from '../platform/http/operation.js';
import { answerProblems } from '../platform/http/problems.js';
import { identifyRequest, observeRequests } from '../platform/http/request-facts.js';
import {
  createRequestLimits,
  isCounted,
  type RequestLimits,
} from '../platform/http/request-limits.js';
import { securityHeaders } from '../platform/http/security-headers.js';
import { serveOperation, type Serve } from '../platform/http/serve-operation.js';
import { privacyOperations } from '../privacy/privacy.routes.js';
import { requestOperations } from '../requests/requests.routes.js';
import { tenancyOperations } from '../tenancy/tenancy.routes.js';
import { usageOperations } from '../usage/usage.routes.js';
import { widgetCors } from '../widget/cors.js';
import { scriptOperations } from '../widget/script.routes.js';
import { widgetSignInOperations, widgetOperations } from '../widget/widget.routes.js';
import { widgetPageOperations } from '../widget/widget-page.routes.js';
import { widgetRequestOperations } from '../widget/widget-requests.routes.js';
import { authenticateRequest } from './authenticate-request.js';
import { docsOperations } from './docs.routes.js';
import { healthOperations, metricsOperations } from './monitoring.routes.js';
import { createMetrics, type Metrics } from './metrics.js';

export const operations: Operation[] = [
  ...healthOperations,
  ...metricsOperations,
  ...accountOperations,
  ...ssoOperations,
  ...secondFactorOperations,
  ...userOperations,
  ...tokenOperations,
  ...providerOperations,
  ...accountLinkOperations,
  ...knowledgeOperations,
  ...citingOperations,
  ...searchOperations,
  ...pageOperations,
  ...ingestionOperations,
  ...sourceOperations,
  ...tenancyOperations,
  ...widgetKeyOperations,
  ...widgetTokenOperations,
  ...widgetOperations,
  ...scriptOperations(),
  ...widgetSignInOperations,
  ...widgetPageOperations,
  ...widgetRequestOperations,
  ...extensionOperations(),
  ...conversationOperations,
  ...usageOperations,
  ...auditOperations,
  ...privacyOperations,
  ...requestOperations,
  ...notificationOperations,
  ...docsOperations(() => operations),
];

export interface ServerParts {
  koa: Koa;
  /** The limits that count requests, for use by sockets too. */
  limits: RequestLimits;
  metrics: Metrics;
}

/** The HTTP application. It refuses new work once `isClosing` returns true. It does not listen yet. */
export function createServer(app: App, isClosing: () => boolean = () => false): ServerParts {
  const server = new Koa();
  const { trust_proxy, cors_origins } = app.config.server;
  server.proxy = trust_proxy > 0;
  server.maxIpsCount = trust_proxy;
  const metrics = createMetrics(app);
  const limits = createRequestLimits(app, (policy) => metrics.limited(policy));
  const router = new Router();
  const literal = new Map<string, Serve>();
  for (const operation of operations.toSorted(literalsFirst)) {
    const serve = serveOperation(router, app, authenticateRequest, limits, operation);
    const { method, path } = operation;
    if (!/[:*{]/.test(path)) literal.set(`${method.toUpperCase()} ${path}`, serve);
  }
  const writerOf = serveBackoffice(router, app, limits);
  server.use(readTarget);
  server.use(identifyRequest);
  server.use(measureRequests(metrics));
  server.use(observeRequests(app, (outcome) => metrics.requestEnded(outcome)));
  // Outside the error handler, so that errors have these headers too.
  server.use(securityHeaders);
  server.use(cors(cors_origins));
  server.use(answerProblems(app, limits, writerOf));
  // Inside the error handler, because it queries the database.
  server.use(widgetCors(app));
  server.use(checkTarget);
  server.use(refuseNewWork(isClosing));
  server.use(limitAddresses(limits));
  server.use(serveLiteral(literal));
  server.use(router.routes());
  server.use(router.allowedMethods());
  server.on('error', (error: unknown) => {
    app.log.debug({ err: error }, 'a connection ended before its answer');
  });
  return { koa: server, limits, metrics };
}

/** Sorts literal paths first, because the router uses the first match: /api/knowledge/page before /:id. */
function literalsFirst(a: Operation, b: Operation): number {
  return a.path.replaceAll(/:\w+/g, '~') < b.path.replaceAll(/:\w+/g, '~') ? -1 : 1;
}

function measureRequests(metrics: Metrics) {
  return async (ctx: Context, next: Next): Promise<void> => {
    metrics.requestStarted();
    ctx.state['metrics'] = metrics;
    await next();
  };
}

/** On existing connections: health checks are still answered, all other requests are refused. */
function refuseNewWork(isClosing: () => boolean) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (isClosing()) {
      ctx.set('Connection', 'close');
      if (!ctx.path.startsWith('/health/')) throw shuttingDown();
    }
    await next();
  };
}

/** Answers requests of paths without parameters at once: the router would try some 200 patterns in turn. */
function serveLiteral(literal: ReadonlyMap<string, Serve>) {
  return async (ctx: Context, next: Next): Promise<void> => {
    await (literal.get(`${ctx.method} ${ctx.path}`)?.(ctx) ?? next());
  };
}

function limitAddresses(limits: RequestLimits) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (isCounted(ctx.path)) await limits.countAddress(ctx);
    await next();
  };
}
