import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { moveInDocument } from '../../knowledge/document-entries.js';
import { checkVersion, type Entry } from '../../knowledge/entry.js';
import { getEntry } from '../../knowledge/read-entries.js';
import type { Batch } from '../batches/batch.js';
import { findBatchEntries, getBareBatch } from './review-batch.js';

/** A draft to be merged, split or corrected, and the version of it that the reviewer has read. */
export interface NamedDraft {
  /** Its uuid or number. */
  name: string;
  /** As an ETag; undefined for any version. */
  ifMatch?: string | undefined;
  /** The batch that it must be of, where the caller shows one. */
  batchId?: string | undefined;
}

export interface OpenDraft {
  entry: Entry;
  batch: Batch;
}

/**
 * A draft whose shape may change. Errors: `not_found`; `precondition_failed` for a draft that has changed; `conflict`
 * for an entry that is no draft of a document, and a batch that is still being read or that was read again.
 */
export async function openDraft(
  app: App,
  actor: Actor,
  { name, ifMatch, batchId }: NamedDraft,
): Promise<OpenDraft> {
  const member = requirePermission(actor, 'knowledge.write');
  const entry = await getEntry(app, member, name);
  if (batchId !== undefined && entry.batchId !== batchId) {
    throw new AppError('not_found', `There is no entry ${name} in this batch.`);
  }
  checkVersion(entry, ifMatch);
  if (entry.status === 'published') {
    throw new AppError('conflict', 'The entry is published: take it back before you reshape it.');
  }
  if (entry.batchId === null) {
    const sentence = `Entry ${entry.id} is no draft of a document. Edit its text instead.`;
    throw new AppError('conflict', sentence);
  }
  const batch = await getBareBatch(app, member, entry.batchId);
  requireReviewable(batch);
  return { entry, batch };
}

/** Refuses with `conflict` a batch that is still being read, and one whose drafts are those of a later batch. */
export function requireReviewable({ status, supersededBy }: Batch): void {
  if (supersededBy !== null) {
    const sentence = `The document was read again since, as batch ${supersededBy}: its drafts are there.`;
    throw new AppError('conflict', sentence, { reason: { is: 'read_again' } });
  }
  if (status !== 'completed') {
    const sentence = `The batch is ${status}. Change its drafts together when it is completed.`;
    throw new AppError('conflict', sentence, { reason: { is: 'not_completed' } });
  }
}

/** The next open draft of the batch in the order of the document; undefined after the last. */
export async function findNextDraft(
  app: App,
  { entry, batch }: OpenDraft,
): Promise<Entry | undefined> {
  const { entries } = await findBatchEntries(app, batch);
  const at = entries.findIndex(({ id }) => id === entry.id);
  return entries.slice(at + 1).find(({ status }) => status === 'draft');
}

/**
 * Numbers the entries of a draft's section in their order, and leaves a place free after the draft. Without that, a
 * restored or new entry, whose number is the highest, would be the last of its section. Returns the free place.
 */
export async function placeAfter(app: App, { entry, batch }: OpenDraft): Promise<number> {
  const { entries } = await findBatchEntries(app, batch);
  const section = entries.filter(({ chunkIndex }) => chunkIndex === entry.chunkIndex);
  const at = section.findIndex(({ id }) => id === entry.id);
  for (const [index, one] of section.entries()) {
    await moveInDocument(app, one, { sourcePart: index <= at ? index : index + 1 });
  }
  return at + 1;
}
