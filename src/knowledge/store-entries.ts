import { recorderOf } from '../audit/record-change.js';
import type { App } from '../platform/app.js';
import { detectLanguage } from '../language/detect-language.js';
import {
  analyseTexts,
  type AnalysedTexts,
  type IndexableText,
} from '../search/passages/analyse-texts.js';
import {
  indexEntries,
  inIndexingTransaction,
  reindexEntries,
  type IndexableEntry,
} from '../search/index-entries.js';
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
import { presentEntry } from './knowledge.schema.js';
import { insertVersions } from './versions.repository.js';

/**
 * Analyses texts, and then stores them in one transaction, in the turn of their organization. Inside another transaction
 * both happen at once.
 */
export function storeTexts<T>(
  app: App,
  organizationId: number,
  texts: () => Promise<readonly IndexableText[]>,
  store: (app: App, analysed: AnalysedTexts) => Promise<T>,
): Promise<T> {
  const work = async () => {
    const analysed = await analyseTexts(await texts());
    return inIndexingTransaction(app, (app) => store(app, analysed));
  };
  return app.db.write.isTransaction === true
    ? work()
    : app.queues.entryTexts.run(work, String(organizationId));
}

/** A text with the language that it is in. */
export function withLanguage({ title, content }: Omit<IndexableText, 'language'>): IndexableText {
  return { title, content, language: detectLanguage(`${title}\n${content}`) };
}

export const recordEntry = recorderOf('entry', presentEntry);

// Entry and index change together: the following functions run inside the caller's transaction.

/** Stores and indexes entries. The caller analyses long ones before the transaction. */
export async function addEntries(
  app: App,
  entries: NewEntry[],
  analysed?: AnalysedTexts,
): Promise<Entry[]> {
  const stored = await insertEntries(app, entries);
  await indexEntries(app, stored.map(toIndex), analysed);
  return stored;
}

function toIndex(entry: Entry): IndexableEntry {
  const { id: entryId, title, content, language, pageFrom, pageTo } = entry;
  return { entryId, title, content, language, pageFrom, pageTo, eligibility: eligibilityOf(entry) };
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
  if (hasNewText) await reindexEntries(app, [toIndex(changed)], analysed);
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
