import type { App } from '../platform/app.js';
import { claimFinder } from './find-site.js';

/** The pages of the machine that the browser runs on, whatever their port. */
const localHost = /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The one app whose pages have this origin; `any` on localhost, where that is allowed; undefined for nobody's. Scheme
 * and port do not matter, as for knowledge.
 */
export async function appOfOrigin(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  origin: string,
  claimOn = claimFinder(app),
): Promise<number | 'any' | undefined> {
  // `null` (sandboxed frames, files) and whatever else names no host is nobody's.
  if (!isOrigin(origin)) return undefined;
  const { hostname } = new URL(origin);
  if (localHost.test(hostname)) return app.config.widget.allow_localhost ? 'any' : undefined;
  const claim = await claimOn(hostname.replace(/\.$/, ''));
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

function isOrigin(text: string): boolean {
  return /^https?:\/\/[^/?#@\\\s]+$/.test(text) && URL.canParse(text);
}
