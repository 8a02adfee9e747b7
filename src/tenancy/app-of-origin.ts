import type { App } from '../platform/app.js';
import { parseUrl } from '../platform/text/parse-url.js';
import { claimFinder } from './find-site.js';

/** Hosts of the browser's own machine, with any port. */
export const localHost = /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The app whose pages have this origin; `any` on localhost if that is allowed; undefined when no app does. Scheme and
 * port do not matter, as for knowledge.
 */
export async function appOfOrigin(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  origin: string,
  claimOn = claimFinder(app),
): Promise<number | 'any' | undefined> {
  const hostname = hostOfOrigin(origin);
  if (hostname === undefined) return undefined;
  if (localHost.test(hostname)) return app.config.widget.allow_localhost ? 'any' : undefined;
  const claim = await claimOn(hostname);
  return claim?.app.id;
}

/** True when pages of an origin belong to an app: on its domains, and on localhost if that is allowed. */
export async function isOriginOf(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  origin: string,
  appId: number,
): Promise<boolean> {
  const owner = await appOfOrigin(app, origin);
  return owner === 'any' || owner === appId;
}

/** The most characters of an origin: scheme, host and port. */
const longestOrigin = 300;

/**
 * The host of an origin in the browser's form: lower case, ASCII, non-empty labels. Undefined for `null` (sandboxed
 * frames and files) and any other text.
 */
export function hostOfOrigin(origin: string): string | undefined {
  if (origin.length > longestOrigin) return undefined;
  const isWritten = /^https?:\/\/(\[[\da-f:.]+\]|[\w-]+(\.[\w-]+)*)(:\d{1,5})?$/.test(origin);
  return isWritten ? parseUrl(origin)?.hostname : undefined;
}
