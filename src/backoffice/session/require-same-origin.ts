import type { Context } from 'koa';
import { AppError } from '../../platform/errors.js';
import { parseUrl } from '../../platform/text/parse-url.js';

/**
 * Errors: `origin_not_allowed` for a change that a page of another site has a browser send. Browsers say by
 * `Sec-Fetch-Site` whose page sends a request. Where that header is missing (over plain HTTP to another host than
 * localhost), `Origin` must name this host.
 */
export function requireSameOrigin(ctx: Context): void {
  const site = ctx.get('Sec-Fetch-Site');
  const origin = ctx.get('Origin');
  const isSame =
    site === '' ? parseUrl(origin)?.host === ctx.host && origin !== '' : site === 'same-origin';
  if (isSame) return;
  const sentence =
    'This change does not come from a page of this server. Open the page again, and try once more.';
  throw new AppError('origin_not_allowed', sentence);
}
