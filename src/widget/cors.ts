import type { Context, Next } from 'koa';
import type { App } from '../platform/app.js';
import { appOfOrigin, hostOfOrigin } from '../tenancy/app-of-origin.js';
import { claimFinder, type FindClaim } from '../tenancy/find-site.js';
import { scriptNames, scriptPath } from './built-script.js';

const taken = [
  ...['Accept', 'Authorization', 'Content-Type', 'Last-Event-ID', 'X-Request-Id'],
  ...['X-Visitor-Token', 'X-Widget-Key'],
].join(', ');
const shown = ['Retry-After', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy'].join(', ');
/** That of backends, and what every page may load: their own headers say so. */
const others = ['/widget/token', ...scriptNames.map(scriptPath)];
/** For how long a browser may remember the answer of a preflight, in seconds. */
const maxAge = '7200';

/**
 * The first call of a page. What it is answered any page may read: one that is not registered learns it by its refusal.
 */
const firstCall = '/widget/config';

/**
 * Lets the pages of registered domains read what /widget answers, refusals included; a preflight can't say for which
 * app it asks, so that the call itself is what checkOrigin judges. Never with credentials that a browser adds by
 * itself.
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
 * Who claims the hosts of a call, each looked up once: whether its page may read the answer, whether it may call at all,
 * and what its page may be told.
 */
export function claimsOfCall(app: App, { req }: Pick<Context, 'req'>): FindClaim {
  const present = finders.get(req) ?? claimFinder(app);
  finders.set(req, present);
  return present;
}

/** The same from now on, as they are now: a body may have come for hours. */
export function newClaimsOfCall(app: App, { req }: Pick<Context, 'req'>): FindClaim {
  const present = claimFinder(app);
  finders.set(req, present);
  return present;
}

async function isKnown(app: App, ctx: Context, origin: string): Promise<boolean> {
  // `null` is what browsers write of a page in a sandbox.
  if (ctx.path === firstCall) return origin === 'null' || hostOfOrigin(origin) !== undefined;
  return (await appOfOrigin(app, origin, claimsOfCall(app, ctx))) !== undefined;
}

/** What a preflight asks for. */
function allowMore(ctx: Context, origin: string): void {
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.vary('Access-Control-Request-Method');
  ctx.vary('Access-Control-Request-Headers');
  ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, DELETE');
  ctx.set('Access-Control-Allow-Headers', taken);
  ctx.set('Access-Control-Max-Age', maxAge);
}
