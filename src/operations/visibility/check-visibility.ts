import { findEntriesById } from '../../knowledge/entries.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import { queryPage } from '../../knowledge/query-page.js';
import { requirePermission, type Actor, type Member } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { findSite } from '../../tenancy/find-site.js';
import {
  listApps,
  listDomains,
  type Domain,
  type SiteApp,
} from '../../tenancy/sites.repository.js';
import { askCanaries, type Trial } from './ask-canaries.js';
import { credentialsOf } from './credentials.js';
import { examineIndex } from './examine-index.js';

/** An entry on a page, and its readers. */
export interface ShownEntry {
  entry: Entry;
  shownTo: string[];
}

export interface VisibilityReport {
  url: string | undefined;
  /** Names of the credentials, those with the fewest rights first. */
  credentials: string[];
  trials: Trial[];
  counts: Record<Entry['visibility'] | 'draft', number>;
  /** Entries of the URL; empty without one. */
  shown: ShownEntry[];
  leaks: string[];
  /** Canaries that a credential should have reached but did not: a check that finds nothing proves nothing. */
  missed: string[];
}

/**
 * Checks who can reach what: canaries in every app (or the URL's app), the entries of the URL, and whether the search
 * index restricts each entry as the entry itself does. Changes nothing. Refuses with `forbidden` actors who may not
 * administer, and with `not_found` a URL that no app of the organization claims.
 */
export async function checkVisibility(
  app: App,
  actor: Actor,
  { url }: { url?: string | undefined },
): Promise<VisibilityReport> {
  const member = requirePermission(actor, 'administer');
  const sites = await sitesOf(app, member, url);
  const trials: Trial[] = [];
  for (const { site, domain } of sites) {
    trials.push(...(await askCanaries(app, member, site, domain)));
  }
  const [first] = sites;
  const shown = url === undefined || first === undefined ? [] : await shownAt(app, first.site, url);
  const { counts, leaks: open } = await examineIndex(app, member.organizationId);
  return {
    url,
    trials,
    shown,
    counts,
    credentials: [...new Set(trials.map(({ credential }) => credential))],
    leaks: [
      ...trials.filter(({ reached, allowed }) => reached && !allowed).map(nameOf),
      ...wronglyShown(member.organizationId, first?.site.id ?? 0, shown),
      ...open,
    ],
    missed: trials.filter(({ reached, allowed }) => !reached && allowed).map(nameOf),
  };
}

async function sitesOf(
  app: App,
  { organizationId }: Member,
  url: string | undefined,
): Promise<{ site: SiteApp; domain: Domain | undefined }[]> {
  if (url !== undefined) {
    const { app: site, domain } = await findSite(app, url);
    if (site?.organizationId === organizationId) return [{ site, domain }];
    throw new AppError('not_found', `No app of this organization claims ${url}.`);
  }
  const domains = await listDomains(app, organizationId);
  return (await listApps(app, organizationId)).map((site) => ({
    site,
    domain: domains.find(({ appId }) => appId === site.id),
  }));
}

function nameOf({ app, credential, door, kept }: Trial): string {
  return `${credential}, ${door}, app ${app}: ${kept === 'draft' ? 'a draft' : `the tier ${kept}`}`;
}

async function shownAt(app: App, site: SiteApp, url: string): Promise<ShownEntry[]> {
  const shownTo = new Map<number, string[]>();
  for (const { name, reader } of credentialsOf(site.organizationId, site.id)) {
    const { entries } = await queryPage(app, reader, { url });
    for (const { id } of entries) shownTo.set(id, [...(shownTo.get(id) ?? []), name]);
  }
  const entries = await findEntriesById(app, [...shownTo.keys()]);
  return entries.map((entry) => ({ entry, shownTo: shownTo.get(entry.id) ?? [] }));
}

function wronglyShown(organizationId: number, appId: number, shown: ShownEntry[]): string[] {
  const credentials = credentialsOf(organizationId, appId);
  return shown.flatMap(({ entry, shownTo }) =>
    credentials
      .filter(({ name }) => shownTo.includes(name))
      .filter(({ onPages }) => entry.status !== 'published' || !onPages.includes(entry.visibility))
      .map(({ name }) => `${name}, the page: entry ${entry.uuid} (${entry.title})`),
  );
}
