import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { claimsOn } from './page-address.js';
import { listApps, listDomains, type SiteApp } from './sites.repository.js';

/** The apps among which the organization's staff choose, in order of creation. */
export async function listAppChoices(
  app: App,
  actor: Actor,
): Promise<Pick<SiteApp, 'id' | 'name' | 'defaultKnowledgeVisibility'>[]> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  return listApps(app, organizationId);
}

/** The hosts of the organization's domains, among which its staff choose. */
export async function listDomainChoices(app: App, actor: Actor): Promise<string[]> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  return (await listDomains(app, organizationId)).map(({ host }) => host);
}

/** The domain for something new: that of the page where one is registered, else the only one that a website can have. */
export function suggestDomain(hosts: string[], wanted: string | undefined): string | undefined {
  if (wanted !== undefined && claimsOn(wanted).some((claim) => hosts.includes(claim)))
    return wanted;
  const ofSites = hosts.filter((host) => host !== 'localhost');
  const [only, ...others] = ofSites.length === 0 ? hosts : ofSites;
  return others.length > 0 || only?.startsWith('*.') === true ? undefined : only;
}
