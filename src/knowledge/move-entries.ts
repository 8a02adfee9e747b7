import { groupBy } from '../platform/group-by.js';
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
 * Moves the organization's entries of a domain, and of the hosts below a wildcard, to where the present claims place
 * them: the app of the nearest claim. Without a claim, they wait and are invisible. Returns the number of moved
 * entries. Runs inside the transaction that changed the claim.
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
    // The name may now be covered by another organization's wildcard, which must not receive these entries.
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

/** Moves entries to an app or to none, together with their index. */
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
 * The changes of an entry by a move. A waiting entry stays bound to its view, so that everything is restored if the
 * same app claims the domain again; another app does not have the view. A visibility that nobody chose becomes the new
 * app's default if that is narrower, so that no move widens it.
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
