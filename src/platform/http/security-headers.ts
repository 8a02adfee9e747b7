import type { Context, Next } from 'koa';

/**
 * Headers of every response: no content sniffing, scripts, frames, referrer, caches or embedding by other sites. Pages
 * for people set a policy of their own.
 */
export const securityHeaderFields = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Half a year, in seconds: long enough to protect, short enough to revert. */
const https = 'max-age=15552000';

export async function securityHeaders(ctx: Context, next: Next): Promise<void> {
  ctx.set(securityHeaderFields);
  // Over plain HTTP the header has no effect. Behind a proxy, HTTPS is known only when the proxy is trusted.
  if (ctx.secure) ctx.set('Strict-Transport-Security', https);
  await next();
}
