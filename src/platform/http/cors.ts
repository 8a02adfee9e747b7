import type { Context, Next } from 'koa';

const methods = 'GET, HEAD, POST, PUT, DELETE';
const sent = [
  'Accept',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'X-Request-Id',
  'X-Widget-Key',
];
const shown = [
  'ETag',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
].join(', ');
/** How long a browser may cache a preflight response, in seconds. */
const maxAge = '7200';

/** This page query returns public entries, so pages of any site may call it. */
const readByAll = '/api/knowledge/page';

/**
 * Decides which browser pages may read responses of /api. Listed origins may, with a bearer token. All other origins
 * may read only the page query, with a widget key of their own app or without credentials. Credentials that a browser adds by itself are
 * never allowed: cookies mean nothing here. Errors carry the headers too.
 *
 * /widget has CORS rules of its own, because it knows the origins of a key's app.
 */
export function cors(origins: readonly string[]) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const isPreflight = ctx.path.startsWith('/api/') && allow(ctx, origins);
    if (isPreflight) ctx.status = 204;
    else await next();
  };
}

/** Sets the headers for the origin. Returns true when the request was only a preflight. */
function allow(ctx: Context, origins: readonly string[]): boolean {
  ctx.vary('Origin');
  const origin = ctx.get('Origin');
  const listed = origins.includes(origin);
  if (origin === '' || !(listed || ctx.path === readByAll)) return false;
  ctx.set('Access-Control-Allow-Origin', listed ? origin : '*');
  if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') {
    ctx.set('Access-Control-Expose-Headers', shown);
    return false;
  }
  ctx.vary('Access-Control-Request-Method');
  ctx.vary('Access-Control-Request-Headers');
  ctx.set('Access-Control-Allow-Methods', listed ? methods : 'GET, HEAD');
  const headers = listed ? ['Authorization', ...sent] : sent;
  ctx.set('Access-Control-Allow-Headers', headers.join(', '));
  ctx.set('Access-Control-Max-Age', maxAge);
  return true;
}
