import type { App } from '../platform/app.js';
import { indexEntries } from '../retrieval/index-entries.js';
import { deletePassagesOf, updateEligibility } from '../retrieval/passages.repository.js';
import {
  deleteEntriesById,
  insertEntries,
  insertVersions,
  listEntriesWhere,
  updateEntries,
} from './entries.repository.js';
import { eligibilityOf, type Entry, type NewEntry } from './entry.js';

// Entry and index change together or not at all: these run inside the caller's transaction.

/** Stores entries and makes them findable, to those who may see them. */
export async function addEntries(app: App, entries: NewEntry[]): Promise<Entry[]> {
  const stored = await insertEntries(app, entries);
  await indexEntries(
    app,
    stored.map((entry) => ({
      entryId: entry.id,
      title: entry.title,
      content: entry.content,
      language: entry.language,
      pageFrom: entry.pageFrom,
      pageTo: entry.pageTo,
      eligibility: eligibilityOf(entry),
    })),
  );
  return stored;
}

/** Publishes drafts. Those that are published already are left as they are; answers how many were not. */
export async function publishEntries(
  app: App,
  entries: Entry[],
  changedBy: string,
): Promise<number> {
  const drafts = entries.filter((entry) => entry.status === 'draft');
  const ids = drafts.map((entry) => entry.id);
  await insertVersions(app, drafts);
  await inSlices(ids, async (slice) => {
    await updateEntries(app, slice, { status: 'published', changedBy });
    await updateEligibility(app, slice, { published: true });
  });
  return drafts.length;
}

/** Gives waiting entries to the app that has claimed their domain. */
export async function assignToApp(
  app: App,
  entries: Entry[],
  appId: number,
  changedBy: string,
): Promise<void> {
  await insertVersions(app, entries);
  const ids = entries.map((entry) => entry.id);
  await inSlices(ids, async (slice) => {
    await updateEntries(app, slice, { appId, changedBy });
    await updateEligibility(app, slice, { appId });
  });
}

/** Removes entries, from retrieval at once. */
export async function removeEntries(app: App, entryIds: number[]): Promise<void> {
  await inSlices(entryIds, async (slice) => {
    await deletePassagesOf(app, slice);
    await deleteEntriesById(app, slice);
  });
}

/** Removes the drafts that a batch has left; what was approved stays. Answers how many went. */
export async function removeDraftsOfBatch(
  app: App,
  organizationId: number,
  batchId: string,
): Promise<number> {
  const { entries } = await listEntriesWhere(
    app,
    { organizationId, batchId, status: 'draft' },
    { offset: 0, limit: Number.MAX_SAFE_INTEGER },
  );
  await removeEntries(
    app,
    entries.map((entry) => entry.id),
  );
  return entries.length;
}

/** Statements bind a bounded number of ids. */
async function inSlices(ids: number[], work: (slice: number[]) => Promise<void>): Promise<void> {
  for (let start = 0; start < ids.length; start += 500) await work(ids.slice(start, start + 500));
}
