import type { Context, Next } from 'koa';
import type { App } from '../platform/app.js';
import { scriptNames, scriptPath } from './built-script.js';
import { appOfOrigin } from './check-origin.js';

const taken = [
  ...['Accept', 'Authorization', 'Content-Type', 'Last-Event-ID', 'X-Request-Id'],
  ...['X-Visitor-Token', 'X-Widget-Key'],
].join(', ');
const shown = ['Retry-After', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy'].join(', ');
/** That of backends, and what every page may load: their own headers say so. */
const others = ['/widget/token', ...scriptNames.map(scriptPath)];
/** For how long a browser may remember the answer of a preflight, in seconds. */
const maxAge = '7200';

/** The first call of a page. What it is answered any page may read: one that is not registered learns it by its refusal. */
const firstCall = '/widget/config';

/**
 * Lets the pages of registered domains read what /widget answers, refusals included; a preflight can't say for which
 * app it asks, so that the call itself is what checkOrigin judges. Never with credentials that a browser adds by
 * itself.
 */
export function widgetCors(app: App) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const isForPages = ctx.path.startsWith('/widget/') && !others.includes(ctx.path);
    if (isForPages && (await allow(app, ctx))) ctx.status = 204;
    else await next();
  };
}

/** Sets what the origin may do. True where that is all that was asked. */
async function allow(app: App, ctx: Context): Promise<boolean> {
  ctx.vary('Origin');
  const origin = ctx.get('Origin');
  if (origin === '') return false;
  if (ctx.path !== firstCall && (await appOfOrigin(app, origin)) === undefined) return false;
  ctx.set('Access-Control-Allow-Origin', origin);
  if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') {
    ctx.set('Access-Control-Expose-Headers', shown);
    return false;
  }
  ctx.vary('Access-Control-Request-Method');
  ctx.vary('Access-Control-Request-Headers');
  ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST');
  ctx.set('Access-Control-Allow-Headers', taken);
  ctx.set('Access-Control-Max-Age', maxAge);
  return true;
}
