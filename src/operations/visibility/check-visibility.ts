import { findEntriesById } from '../../knowledge/entries.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import { queryPage } from '../../knowledge/query-page.js';
import { requirePermission, type Actor, type Member, isNarrower } from '../../platform/actor.js';
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
import { findEntriesAfter } from '../../knowledge/entry-lists.repository.js';
import {
  listReachable,
  readReach,
  type PassageReach,
} from '../../search/passages/eligibility.repository.js';

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
 * index restricts each entry as the entry itself does. Changes nothing. Errors: `forbidden` for actors who may not
 * administer; `not_found` for a URL that no app of the organization claims.
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

const entriesAtOnce = 500;

/**
 * Compares every entry of an organization with its rights in the search index, which searches use without reading the
 * entry. Returns the number of entries by tier, and wrong rights in sentences.
 */
async function examineIndex(app: App, organizationId: number) {
  const own = new Set((await listApps(app, organizationId)).map(({ id }) => id));
  const counts = { public: 0, authenticated: 0, internal: 0, draft: 0 };
  const leaks: string[] = [];
  for (let after = 0; ;) {
    const entries = await findEntriesAfter(app, { organizationId }, after, entriesAtOnce);
    const reach = await readReach(
      app,
      entries.map(({ id }) => id),
    );
    for (const entry of entries) {
      counts[entry.status === 'draft' ? 'draft' : entry.visibility] += 1;
      const name = `${entry.uuid} (${entry.title})`;
      if (entry.appId !== null && !own.has(entry.appId)) {
        // Pages find their entries only by app.
        leaks.push(`entry ${name} stands in an app of another organization`);
      }
      const passages = reach.filter(({ entryId }) => entryId === entry.id);
      if (passages.some((passage) => isOpen(entry, passage))) {
        leaks.push(`the index opens entry ${name}`);
      }
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < entriesAtOnce) break;
    after = last.id;
  }
  return { counts, leaks: [...leaks, ...(await findOrphans(app, organizationId))] };
}

function isOpen(entry: Entry, passage: PassageReach): boolean {
  return (
    entry.status === 'draft' ||
    passage.organizationId !== entry.organizationId ||
    passage.appId !== entry.appId ||
    isNarrower(entry.visibility, passage.visibility)
  );
}

/** Passages without an entry in the organization: it was deleted by other tools, or belongs to another organization. */
async function findOrphans(app: App, organizationId: number): Promise<string[]> {
  const leaks: string[] = [];
  for (let after = 0; ;) {
    const ids = await listReachable(app, organizationId, after, entriesAtOnce);
    const entries = await findEntriesById(app, ids);
    const present = new Set(entries.map(({ id }) => id));
    for (const id of ids) {
      if (!present.has(id)) leaks.push(`the index opens entry number ${id}, which is gone`);
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < entriesAtOnce) return leaks;
    after = last;
  }
}
