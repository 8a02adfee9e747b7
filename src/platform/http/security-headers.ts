import type { Context, Next } from 'koa';

/**
 * What every answer carries, unless its operation says otherwise (a page for people sets a policy of its
 * own): no guessing of types, no scripts, no frames, no referrer, no caches, no embedding by other sites.
 */
export const securityHeaderFields = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Half a year: long enough to be worth it, short enough to come back from. */
const https = 'max-age=15552000';

export async function securityHeaders(ctx: Context, next: Next): Promise<void> {
  ctx.set(securityHeaderFields);
  // Said over plain HTTP it means nothing; behind a proxy it is known only where that is trusted.
  if (ctx.secure) ctx.set('Strict-Transport-Security', https);
  await next();
}
