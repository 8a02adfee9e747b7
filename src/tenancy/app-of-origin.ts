import type { App } from '../platform/app.js';
import { parseUrl } from '../platform/text/parse-url.js';
import { claimFinder } from './find-site.js';

/** The pages of the machine that the browser runs on, whatever their port. */
export const localHost = /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The one app whose pages have this origin; `any` on localhost, where that is allowed; undefined for nobody's. Scheme
 * and port do not matter, as for knowledge.
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

/** Whether the pages of an origin are an app's: those of its domains, and localhost where that is allowed. */
export async function isOriginOf(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  origin: string,
  appId: number,
): Promise<boolean> {
  const owner = await appOfOrigin(app, origin);
  return owner === 'any' || owner === appId;
}

/** Characters of an origin at most: scheme, host and port. */
const longestOrigin = 300;

/**
 * The host of an origin as browsers write it: lower case, in ASCII, each label of one character at least. `null` (of
 * sandboxed frames and files) and all else has none, though it might be read as an address.
 */
export function hostOfOrigin(origin: string): string | undefined {
  if (origin.length > longestOrigin) return undefined;
  const isWritten = /^https?:\/\/(\[[\da-f:.]+\]|[\w-]+(\.[\w-]+)*)(:\d{1,5})?$/.test(origin);
  return isWritten ? parseUrl(origin)?.hostname : undefined;
}
