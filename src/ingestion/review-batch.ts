import { recordChange } from '../audit/record-change.js';
import { nameOf, requirePermission, type Actor, type Member } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { countEntriesOfBatches, findEntriesWhere } from '../knowledge/entry-lists.repository.js';
import type { Entry } from '../knowledge/entry.js';
import { publishEntries, removeDraftsOfBatch } from '../knowledge/store-entries.js';
import type { Batch, BatchStatus, CountedBatch } from './batch.js';
import { batchFacts } from './batch.schema.js';
import { deleteBatchById, findBatch, listBatchesOf, resetBatch } from './batches.repository.js';

export interface BatchWithEntries {
  batch: Batch;
  entries: Entry[];
}

/** A batch with all its entries, in the order of the document. Refuses with `not_found`. */
export async function getBatch(app: App, actor: Actor, id: string): Promise<BatchWithEntries> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const batch = await findBatch(app, organizationId, id);
  if (batch === undefined) throw new AppError('not_found', `There is no ingestion batch ${id}.`);
  return { batch, entries: await findEntriesWhere(app, { organizationId, batchId: id }) };
}

/** A page of the organization's batches, newest first, without their entries. */
export async function listBatches(
  app: App,
  actor: Actor,
  input: { status?: BatchStatus | undefined; page: number; limit: number },
): Promise<{ batches: CountedBatch[]; total: number }> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const { batches, total } = await listBatchesOf(app, organizationId, {
    status: input.status,
    offset: (input.page - 1) * input.limit,
    limit: input.limit,
  });
  return { batches: await withCounts(app, batches), total };
}

/** How a batch stands, without its entries. Refuses with `not_found`. */
export async function getBatchState(app: App, actor: Actor, id: string): Promise<CountedBatch> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const batch = await findBatch(app, organizationId, id);
  const [counted] = batch === undefined ? [] : await withCounts(app, [batch]);
  if (counted === undefined) throw new AppError('not_found', `There is no ingestion batch ${id}.`);
  return counted;
}

async function withCounts(app: App, batches: Batch[]): Promise<CountedBatch[]> {
  const counts = await countEntriesOfBatches(
    app,
    batches.map((batch) => batch.id),
  );
  return batches.map((batch) => ({ ...batch, totalEntries: counts.get(batch.id) ?? 0 }));
}

/**
 * Publishes drafts of a batch; answers how many it activated (those that were active already count as none).
 * Refuses with `unprocessable`, activating nothing, when an id is not of this batch.
 */
export async function approveEntries(
  app: App,
  actor: Actor,
  input: { batchId: string; entryIds: number[] | 'all' },
): Promise<number> {
  const member = requirePermission(actor, 'knowledge.write');
  return inTransaction(app, async (app) => {
    const { entries } = await getBatch(app, member, input.batchId);
    if (input.entryIds === 'all') return publish(app, member, input.batchId, entries);
    const wanted = new Set(input.entryIds);
    const chosen = entries.filter((entry) => wanted.has(entry.id));
    if (chosen.length < wanted.size) {
      const own = new Set(entries.map((entry) => entry.id));
      const foreign = [...wanted].filter((id) => !own.has(id));
      throw new AppError(
        'unprocessable',
        `Nothing was approved: ${foreign.slice(0, 10).join(', ')} ${foreign.length === 1 ? 'is' : 'are'} not of this batch.`,
        {
          problems: [
            { path: 'entry_ids', message: `not of this batch: ${foreign.slice(0, 10).join(', ')}` },
          ],
        },
      );
    }
    return publish(app, member, input.batchId, chosen);
  });
}

async function publish(
  app: App,
  member: Member,
  batchId: string,
  entries: Entry[],
): Promise<number> {
  const drafts = entries.filter((entry) => entry.status === 'draft');
  const approved = await publishEntries(app, drafts, nameOf(member));
  if (approved > 0) {
    await recordChange(app, member, {
      organizationId: member.organizationId,
      action: 'batch.approve',
      subject: `batch:${batchId}`,
      after: { entry_ids: drafts.map((entry) => entry.id) },
    });
  }
  return approved;
}

/**
 * Removes a batch with its upload and the drafts that were not approved; approved entries stay. A worker that
 * is at it stops. Answers how many drafts went. Refuses with `not_found`.
 */
export async function deleteBatch(app: App, actor: Actor, id: string): Promise<number> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  return inTransaction(app, async (app) => {
    const batch = await findBatch(app, organizationId, id);
    if (batch === undefined) throw new AppError('not_found', `There is no ingestion batch ${id}.`);
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

/** Starts a failed batch again, with all its attempts. Refuses with `conflict` one that has not failed. */
export async function retryBatch(app: App, actor: Actor, id: string): Promise<CountedBatch> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  await inTransaction(app, async (app) => {
    const found = await findBatch(app, organizationId, id);
    if (found === undefined) throw new AppError('not_found', `There is no ingestion batch ${id}.`);
    if (found.status !== 'failed') {
      throw new AppError(
        'conflict',
        `The batch is ${found.status}: only a failed one can be retried.`,
      );
    }
    await resetBatch(app, id);
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
