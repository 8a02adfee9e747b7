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
/** For how long a browser may remember the answer of a preflight, in seconds. */
const maxAge = '7200';

/** The public tier of a page is public: the page of any site may ask for it. */
const readByAll = '/api/knowledge/page';

/**
 * Which browser pages may read what /api answers: those of the listed origins, with a bearer token; of all
 * others only the page query, which they may make without a key, or with a key of their own app (authenticate.ts).
 * Never with credentials, which a browser would add by itself: cookies mean nothing here. Errors carry the headers too.
 *
 * /widget answers to the origins that are registered for a key's app, which it knows and this does not.
 */
export function cors(origins: readonly string[]) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const isPreflight = ctx.path.startsWith('/api/') && allow(ctx, origins);
    if (isPreflight) ctx.status = 204;
    else await next();
  };
}

/** Sets what the origin may do. True where that is all that was asked. */
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
