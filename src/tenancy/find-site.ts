import type { App } from '../platform/app.js';
import { claimsOn, parsePageUrl, type PageAddress } from './page-address.js';
import { findClaimedSites, findDomains, type Domain, type SiteApp } from './sites.repository.js';

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
  const claims = claimsOn(address.host);
  const found = await findClaimedSites(app, claims);
  const site = nearest(claims, found, ({ domain }) => domain.host);
  return { ...address, domain: site?.domain, app: site?.app };
}

/** The domain that claims a host, the most specific one. */
export async function findDomainOf(
  app: Pick<App, 'db' | 'clock'>,
  host: string,
): Promise<Domain | undefined> {
  const claims = claimsOn(host);
  const found = await findDomains(app, claims);
  return nearest(claims, found, ({ host }) => host);
}

/** What is claimed by the first of the names, which are in the order in which they count. */
function nearest<T>(claims: string[], found: T[], hostOf: (one: T) => string): T | undefined {
  return claims.flatMap((claim) => found.filter((one) => hostOf(one) === claim))[0];
}
