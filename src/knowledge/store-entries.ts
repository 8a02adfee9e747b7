import type { App } from '../platform/app.js';
import type { AnalysedTexts } from '../search/passages/analyse-texts.js';
import { indexEntries } from '../search/index-entries.js';
import { deletePassagesOf, updateEligibility } from '../search/passages/passages.repository.js';
import {
  deleteEntriesById,
  findEntriesById,
  insertEntries,
  updateEntries,
  type EntryChange,
} from './entries.repository.js';
import { findEntriesWhere } from './entry-lists.repository.js';
import { eligibilityOf, scopeOf, type Entry, type NewEntry } from './entry.js';
import { insertVersions } from './versions.repository.js';

// Entry and index change together: these functions run inside the caller's transaction.

/** Stores and indexes entries. The caller analyses long ones before the transaction. */
export async function addEntries(
  app: App,
  entries: NewEntry[],
  analysed?: AnalysedTexts,
): Promise<Entry[]> {
  const stored = await insertEntries(app, entries);
  await index(app, stored, analysed);
  return stored;
}

async function index(app: App, entries: Entry[], analysed?: AnalysedTexts): Promise<void> {
  await indexEntries(
    app,
    entries.map((entry) => ({
      entryId: entry.id,
      title: entry.title,
      content: entry.content,
      language: entry.language,
      pageFrom: entry.pageFrom,
      pageTo: entry.pageTo,
      eligibility: eligibilityOf(entry),
    })),
    analysed,
  );
}

/** Changes an entry and stores its previous version. Its text is analysed again only if it has changed. */
export async function changeEntry(
  app: App,
  entry: Entry,
  change: EntryChange,
  changedBy: string,
  analysed?: AnalysedTexts,
): Promise<Entry> {
  await insertVersions(app, [entry]);
  const scope = scopeOf({ ...entry, ...change });
  await updateEntries(app, [entry.id], { ...change, scope, changedBy });
  const [changed] = await findEntriesById(app, [entry.id]);
  if (changed === undefined) throw new Error('an entry is gone while it is changed');
  const hasNewText = changed.title !== entry.title || changed.content !== entry.content;
  if (hasNewText) await index(app, [changed], analysed);
  else await updateEligibility(app, [changed.id], eligibilityOf(changed));
  return changed;
}

/** Publishes drafts, skipping published entries. Returns the number of newly published ones. */
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

/** Deletes entries, with immediate effect on searches. */
export async function removeEntries(app: App, entryIds: number[]): Promise<void> {
  await inSlices(entryIds, async (slice) => {
    await deletePassagesOf(app, slice);
    await deleteEntriesById(app, slice);
  });
}

/** Deletes the drafts of a batch and returns their number. Approved entries stay, even unpublished ones. */
export async function removeDraftsOfBatch(
  app: App,
  organizationId: number,
  batchId: string,
): Promise<number> {
  const entries = await findEntriesWhere(app, {
    organizationId,
    batchId,
    status: 'draft',
    wasPublished: false,
  });
  await removeEntries(
    app,
    entries.map((entry) => entry.id),
  );
  return entries.length;
}

/** Runs `work` on slices of the ids, because statements bind a limited number. */
export async function inSlices(
  ids: number[],
  work: (slice: number[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += 500) await work(ids.slice(start, start + 500));
}
