import { findEntriesById } from '../../knowledge/entries.repository.js';
import { findEntriesAfter } from '../../knowledge/entry-lists.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import { isNarrower } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import {
  listReachable,
  readReach,
  type PassageReach,
} from '../../search/passages/eligibility.repository.js';
import { listApps } from '../../tenancy/sites.repository.js';

const entriesAtOnce = 500;

/**
 * Compares every entry of an organization with its rights in the search index, which searches use without reading the
 * entry. Returns the number of entries by tier, and wrong rights in sentences.
 */
export async function examineIndex(app: App, organizationId: number) {
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
