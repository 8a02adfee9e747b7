import type { App } from '../platform/app.js';
import { claimsOn, parsePageUrl, type PageAddress } from './page-address.js';
import { findClaims, type Domain, type SiteApp } from './sites.repository.js';

/** What stands behind a page's address: its domain and app, where one claims the host. */
export interface Site extends PageAddress {
  domain: Domain | undefined;
  app: SiteApp | undefined;
}

/** A registered domain with its app. */
export interface Claim {
  domain: Domain;
  app: SiteApp;
}

/** Who claims a host name: the name itself wins over the nearest wildcard above it. */
export type FindClaim = (host: string) => Promise<Claim | undefined>;

/**
 * Finds who claims host names as they are now, each name once: for a single call, whose rights and whose page are often
 * told by the same host.
 */
export function claimFinder(app: Pick<App, 'db' | 'clock'>): FindClaim {
  const found = new Map<string, Promise<Claim | undefined>>();
  return (host) => {
    const known = found.get(host) ?? findClaim(app, host);
    found.set(host, known);
    return known;
  };
}

/** The site that a URL belongs to. Refuses with `invalid_request` what is no URL. */
export async function findSite(
  app: Pick<App, 'db' | 'clock'>,
  url: string,
  field = 'url',
  claimOn = claimFinder(app),
): Promise<Site> {
  const address = parsePageUrl(url, field);
  const claim = await claimOn(address.host);
  return { ...address, domain: claim?.domain, app: claim?.app };
}

/** The domain that claims a host, the most specific one. */
export async function findDomainOf(
  app: Pick<App, 'db' | 'clock'>,
  host: string,
): Promise<Domain | undefined> {
  return (await findClaim(app, host))?.domain;
}

async function findClaim(app: Pick<App, 'db' | 'clock'>, host: string): Promise<Claim | undefined> {
  const names = claimsOn(host);
  const found = await findClaims(app, names);
  // The names are in the order in which they count.
  return names.flatMap((name) => found.filter(({ domain }) => domain.host === name))[0];
}
