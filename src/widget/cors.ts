import type { Context, Next } from 'koa';
import type { App } from '../platform/app.js';
import { appOfOrigin, hostOfOrigin } from '../tenancy/app-of-origin.js';
import { claimFinder, type FindClaim } from '../tenancy/find-site.js';
import { scriptNames, scriptPath } from './built-script.js';

const taken = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Last-Event-ID',
  'X-Request-Id',
  'X-Visitor-Token',
  'X-Widget-Key',
].join(', ');
const shown = ['Retry-After', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy'].join(', ');
/** Paths for backends, and for scripts that every page may load: they set their own headers. */
const others = ['/widget/token', ...scriptNames.map(scriptPath)];
/** How long a browser may cache a preflight response, in seconds. */
const maxAge = '7200';

/**
 * The first call of a page. Every page may read its response, so that an unregistered page learns why it is refused.
 */
const firstCall = '/widget/config';

/**
 * Lets pages of registered domains read responses of /widget, including errors. A preflight can't name its app, so
 * checkOrigin decides with the call itself. Never with credentials that a browser adds by itself.
 */
export function widgetCors(app: App) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const isForPages = ctx.path.startsWith('/widget/') && !others.includes(ctx.path);
    if (isForPages) ctx.vary('Origin');
    const origin = isForPages ? ctx.get('Origin') : '';
    if (origin === '') {
      await next();
      return;
    }
    if (ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '') {
      if (await isKnown(app, ctx, origin)) {
        allowMore(ctx, origin);
        ctx.status = 204;
      } else await next();
      return;
    }
    try {
      await next();
    } finally {
      if (await isKnown(app, ctx, origin)) {
        ctx.set('Access-Control-Allow-Origin', origin);
        ctx.set('Access-Control-Expose-Headers', shown);
      }
    }
  };
}

const finders = new WeakMap<Context['req'], FindClaim>();

/**
 * Looks up the claims on hosts during a call, each host once. The call uses them for CORS, for the origin check and for
 * the page's knowledge.
 */
export function claimsOfCall(app: App, { req }: Pick<Context, 'req'>): FindClaim {
  const present = finders.get(req) ?? claimFinder(app);
  finders.set(req, present);
  return present;
}

/** Replaces them by present claims: the body may have taken hours. */
export function newClaimsOfCall(app: App, { req }: Pick<Context, 'req'>): FindClaim {
  const present = claimFinder(app);
  finders.set(req, present);
  return present;
}

async function isKnown(app: App, ctx: Context, origin: string): Promise<boolean> {
  // Browsers send `null` for a sandboxed page.
  if (ctx.path === firstCall) return origin === 'null' || hostOfOrigin(origin) !== undefined;
  return (await appOfOrigin(app, origin, claimsOfCall(app, ctx))) !== undefined;
}

/** Allows what a preflight asks for. */
function allowMore(ctx: Context, origin: string): void {
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.vary('Access-Control-Request-Method');
  ctx.vary('Access-Control-Request-Headers');
  ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, DELETE');
  ctx.set('Access-Control-Allow-Headers', taken);
  ctx.set('Access-Control-Max-Age', maxAge);
}
