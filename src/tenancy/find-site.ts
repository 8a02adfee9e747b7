import type { App } from '../platform/app.js';
import { claimsOn, parsePageUrl, type PageAddress } from './page-address.js';
import { findApp, findDomains, type Domain, type SiteApp } from './sites.repository.js';

/** What stands behind a page's address: its domain and app, where one claims the host. */
export interface Site extends PageAddress {
  domain: Domain | undefined;
  app: SiteApp | undefined;
}

/**
 * The site that a URL belongs to. A host name leads to one app: the name itself wins over the nearest
 * wildcard above it. Refuses with `invalid_request` what is no URL.
 */
export async function findSite(app: App, url: string, field = 'url'): Promise<Site> {
  const address = parsePageUrl(url, field);
  const domain = await findDomainOf(app, address.host);
  const siteApp = domain === undefined ? undefined : await findApp(app, domain.appId);
  return { ...address, domain, app: siteApp };
}

/** The domain that claims a host, the most specific one. */
export async function findDomainOf(
  app: Pick<App, 'db' | 'clock'>,
  host: string,
): Promise<Domain | undefined> {
  const claims = claimsOn(host);
  const found = await findDomains(app, claims);
  return claims.flatMap((claim) => found.filter((domain) => domain.host === claim))[0];
}
