import { visibilities } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { updateEligibility } from '../search/passages/passages.repository.js';
import { findDomainOf } from '../tenancy/find-site.js';
import { claimsOn } from '../tenancy/page-address.js';
import { findApp, type Domain, type SiteApp } from '../tenancy/sites.repository.js';
import { listViewIds } from '../tenancy/views.repository.js';
import { findEntriesOfHosts } from './entry-lists.repository.js';
import { updateEntries, type EntryChange } from './entries.repository.js';
import { scopeOf, type Entry } from './entry.js';
import { inSlices } from './store-entries.js';
import { insertVersions } from './versions.repository.js';

/**
 * Puts the organization's entries of a domain, and of the hosts below a wildcard, where the claims that stand now
 * have them: each in the app of its nearest claim, or waiting, unseen, where there is none. Answers how many moved.
 * Runs inside the transaction that has changed the claim.
 */
export async function followClaims(
  app: App,
  { organizationId, host }: Domain,
  changedBy: string,
): Promise<number> {
  const entries = await findEntriesOfHosts(app, organizationId, (name) =>
    claimsOn(name).includes(host),
  );
  const byApp = new Map<number | null, Entry[]>();
  for (const [name, those] of groupBy(entries, ({ domain }) => domain ?? '')) {
    const claim = await findDomainOf(app, name);
    // A wildcard of another organization may be what covers the name now: nothing goes over to it.
    const appId = claim?.organizationId === organizationId ? claim.appId : null;
    const moving = those.filter((entry) => entry.appId !== appId);
    byApp.set(appId, [...(byApp.get(appId) ?? []), ...moving]);
  }
  let moved = 0;
  for (const [appId, moving] of byApp) {
    await moveToApp(app, moving, appId, changedBy);
    moved += moving.length;
  }
  return moved;
}

/** Gives entries to an app, or to none: entry and index together. */
async function moveToApp(
  app: App,
  entries: Entry[],
  appId: number | null,
  changedBy: string,
): Promise<void> {
  await insertVersions(app, entries);
  const site = appId === null ? undefined : await findApp(app, appId);
  const views = appId === null ? [] : await listViewIds(app, appId);
  const changes = groupBy(entries, (entry) => JSON.stringify(changeOf(entry, site, views)));
  for (const [change, alike] of changes) {
    const fields = JSON.parse(change) as EntryChange & { appId: number | null };
    const ids = alike.map(({ id }) => id);
    await inSlices(ids, async (slice) => {
      await updateEntries(app, slice, { ...fields, changedBy });
      const { appId, viewId, visibility } = fields;
      await updateEligibility(app, slice, {
        appId,
        ...(viewId === undefined ? {} : { viewId }),
        ...(visibility === undefined ? {} : { visibility }),
      });
    });
  }
}

/**
 * What a move changes of an entry. While it waits it stays bound to its view, so that a domain that is claimed
 * again by the same app has all as it was; another app does not know the view. A visibility that nobody chose
 * becomes the app's default where that is narrower: no move shows an entry to more people.
 */
function changeOf(entry: Entry, site: SiteApp | undefined, views: number[]): EntryChange {
  if (site === undefined) return { appId: null };
  const isForeign = entry.viewId !== null && !views.includes(entry.viewId);
  const unbound = isForeign ? { viewId: null, scope: scopeOf({ ...entry, viewId: null }) } : {};
  const byDefault = site.defaultKnowledgeVisibility ?? 'public';
  const isNarrower = visibilities.indexOf(byDefault) > visibilities.indexOf(entry.visibility);
  const narrowed = entry.visibilityDefaulted && isNarrower ? { visibility: byDefault } : {};
  return { appId: site.id, ...unbound, ...narrowed };
}

function groupBy<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
