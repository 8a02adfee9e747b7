import type { Store } from '../platform/app.js';
import { claimsOn, parsePageUrl, type PageAddress } from './page-address.js';
import { findClaims, type Domain, type SiteApp } from './sites.repository.js';

/** The site of a page's address, with its domain and app if the host is registered. */
export interface Site extends PageAddress {
  domain: Domain | undefined;
  app: SiteApp | undefined;
}

/** A registered domain with its app. */
export interface Claim {
  domain: Domain;
  app: SiteApp;
}

/** Finds the claim on a host name: the name itself, else the nearest wildcard above it. */
export type FindClaim = (host: string) => Promise<Claim | undefined>;

/** Finds claims on host names, each name once. Use it for a single call, which often repeats a host. */
export function claimFinder(app: Store): FindClaim {
  const found = new Map<string, Promise<Claim | undefined>>();
  return (host) => {
    const known = found.get(host) ?? findClaim(app, host);
    found.set(host, known);
    return known;
  };
}

/** The site of a URL. Errors: `invalid_request` for an invalid URL. */
export async function findSite(
  app: Store,
  url: string,
  field = 'url',
  claimOn = claimFinder(app),
): Promise<Site> {
  const address = parsePageUrl(url, field);
  const claim = await claimOn(address.host);
  return { ...address, domain: claim?.domain, app: claim?.app };
}

/** The most specific domain that claims a host. */
export async function findDomainOf(app: Store, host: string): Promise<Domain | undefined> {
  return (await findClaim(app, host))?.domain;
}

async function findClaim(app: Store, host: string): Promise<Claim | undefined> {
  const names = claimsOn(host);
  const found = await findClaims(app, names);
  // The names are in the order of precedence.
  return names.flatMap((name) => found.filter(({ domain }) => domain.host === name))[0];
}
