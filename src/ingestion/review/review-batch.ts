import { recordChange } from '../../audit/record-change.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { findNamed } from '../../platform/find-named.js';
import { findEntriesWhere } from '../../knowledge/entry-lists.repository.js';
import { findEntriesById } from '../../knowledge/entries.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import { removeDraftsOfBatch } from '../../knowledge/store-entries.js';
import type { Batch, BatchWithEntries, CountedBatch } from '../batches/batch.js';
import { batchFacts } from '../batches/batch.schema.js';
import { findGoneIds, findHiddenTexts, storeHiddenTexts } from '../batches/findings.repository.js';
import {
  deleteBatchById,
  findBatchesById,
  findBatchesCalled,
  findReadings,
  resetBatch,
} from '../batches/batches.repository.js';
import { readUploadRange } from '../batches/uploads.repository.js';
import { countDrafts } from './list-batches.js';

/** A batch without its entries. Errors: `not_found`. */
export async function getBareBatch(app: App, actor: Actor, id: string): Promise<Batch> {
  const [batch] = await getBareBatches(app, actor, [id] as const);
  return batch;
}

/** As getBareBatch, for several batches, in the order of the ids. */
export async function getBareBatches<I extends readonly string[]>(
  app: App,
  actor: Actor,
  ids: I,
): Promise<{ [K in keyof I]: Batch }> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const found = await findBatchesById(app, organizationId, ids);
  const batches = ids.map((id) => {
    const batch = found.find((one) => one.id === id);
    if (batch !== undefined) return batch;
    throw new AppError('not_found', `There is no ingestion batch ${id}.`);
  });
  return batches as { [K in keyof I]: Batch };
}

/** The file of a batch. `read` gives the bytes from `start` to `end`, inclusive, in pieces of at most 1 MiB. */
export interface Document {
  batch: Batch;
  read: (range: { start: number; end: number }) => AsyncIterable<Buffer>;
}

/** Opens the file of a batch without reading it. Errors: `not_found`. */
export async function openDocument(app: App, actor: Actor, batchId: string): Promise<Document> {
  const batch = await getBareBatch(app, actor, batchId);
  return { batch, read: (range) => readUploadRange(app, batch, range) };
}

/** The pages of a batch, from 1, with hidden text. */
export async function findHiddenPages(
  app: App,
  { id, hiddenTextTotal }: Pick<Batch, 'id' | 'hiddenTextTotal'>,
): Promise<number[]> {
  const found = hiddenTextTotal === 0 ? [] : await findHiddenTexts(app, id);
  const hidden = found.filter(({ reason }) => reason !== 'unchecked' && reason !== 'macro');
  return [...new Set(hidden.map(({ page }) => page))];
}

/** A batch with all its entries, in the order of the document. Errors: `not_found`. */
export async function getBatch(app: App, actor: Actor, id: string): Promise<BatchWithEntries> {
  const batch = await getBareBatch(app, actor, id);
  const { entries, replaced } = await findBatchEntries(app, batch);
  const gone = await findEntriesById(app, await findGoneIds(app, id));
  const hiddenText = await findHiddenTexts(app, id);
  const editedDrafts = await findEditedDrafts(app, batch);
  return { batch, entries, gone, hiddenText, replaced, editedDrafts };
}

/** The entries of a batch, in the order of the document, and those that they replace. */
export async function findBatchEntries(
  app: App,
  { id, organizationId }: Batch,
): Promise<Pick<BatchWithEntries, 'entries' | 'replaced'>> {
  const entries = inOrderOfDocument(await findEntriesWhere(app, { organizationId, batchId: id }));
  const replacedIds = entries.flatMap(({ replacesId }) =>
    replacesId === null ? [] : [replacesId],
  );
  return { entries, replaced: await findEntriesById(app, replacedIds) };
}

/** Entries from an earlier version have lower ids, wherever they are in the document. */
export function inOrderOfDocument<P extends Pick<Entry, 'id' | 'chunkIndex' | 'sourcePart'>>(
  entries: P[],
): P[] {
  return entries.sort(
    (a, b) =>
      (a.chunkIndex ?? 0) - (b.chunkIndex ?? 0) || a.sourcePart - b.sourcePart || a.id - b.id,
  );
}

/** Finds a batch by its id, the beginning of it, or its file name. Errors: those of findNamed. */
export async function getBatchNamed(
  app: App,
  actor: Actor,
  name: string,
): Promise<BatchWithEntries> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const among = await findBatchesCalled(app, organizationId, name.trim(), 100);
  const namesOf = ({ id, fileName }: Batch) => ({ key: id, names: [fileName] });
  return getBatch(app, actor, findNamed(name, { thing: 'ingestion batch', among, namesOf }).id);
}

/** Edited drafts of earlier batches. They are shown with the batch that replaced those. */
export async function findEditedDrafts(app: App, batch: Batch): Promise<Entry[]> {
  if (batch.status !== 'completed' || batch.supersededBy !== null) return [];
  const { organizationId, document } = batch;
  const conditions = { organizationId, document, wasPublished: false, edited: true };
  const drafts = await findEntriesWhere(app, conditions);
  return drafts.filter((entry) => entry.batchId !== batch.id);
}

/** The state of a batch, without its entries. Errors: `not_found`. */
export async function getBatchState(app: App, actor: Actor, id: string): Promise<CountedBatch> {
  const [counted] = await countDrafts(app, [await getBareBatch(app, actor, id)]);
  if (counted === undefined) throw new Error('a batch that was counted is not there');
  return counted;
}

/**
 * Deletes a batch with its upload and its unapproved drafts; approved entries stay. A worker that processes it stops.
 * Returns the number of deleted drafts. Errors: `not_found`.
 */
export async function deleteBatch(app: App, actor: Actor, id: string): Promise<number> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  return inTransaction(app, async (app) => {
    const batch = await getBareBatch(app, actor, id);
    const deleted = await removeDraftsOfBatch(app, organizationId, id);
    await deleteBatchById(app, id);
    await recordChange(app, actor, {
      organizationId,
      action: 'batch.delete',
      subject: `batch:${id}`,
      before: { ...batchFacts(batch), drafts: deleted },
    });
    return deleted;
  });
}

/** Refuses a batch after a later upload of its document: read now, it would replace newer text by older. */
async function assertNewest(app: App, batch: Batch): Promise<void> {
  const readings = await findReadings(app, batch.organizationId, batch.document);
  const later = readings.find((one) => one.createdAt > batch.createdAt && one.status !== 'failed');
  if (later === undefined) return;
  throw new AppError(
    'conflict',
    `A later version of the document was uploaded since, as batch ${later.id}. Upload this file again if it is the one that is to stand.`,
    { reason: { is: 'later_version' } },
  );
}

/**
 * Restarts a failed batch with all its attempts. Errors: `conflict` for a batch that has not failed, and one of a
 * document with a later upload.
 */
export async function retryBatch(app: App, actor: Actor, id: string): Promise<CountedBatch> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  await inTransaction(app, async (app) => {
    const found = await getBareBatch(app, actor, id);
    if (found.status !== 'failed') {
      throw new AppError(
        'conflict',
        `The batch is ${found.status}: only a failed one can be retried.`,
        { reason: { is: 'not_failed' } },
      );
    }
    await assertNewest(app, found);
    await resetBatch(app, id);
    await storeHiddenTexts(app, id, []);
    await recordChange(app, actor, {
      organizationId,
      action: 'batch.retry',
      subject: `batch:${id}`,
      before: { status: found.status, error: found.error },
      after: { status: 'processing', error: null },
    });
  });
  app.jobs.wake();
  return getBatchState(app, actor, id);
}
