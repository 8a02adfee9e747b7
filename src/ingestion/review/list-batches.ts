import { nameActors } from '../../accounts/users/name-actors.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { Page, Paged } from '../../platform/db/select-page.js';
import {
  countEntriesOfBatches,
  findBatchesWithDrafts,
} from '../../knowledge/entry-lists.repository.js';
import type { Batch, CountedBatch } from '../batches/batch.js';
import { findBatch, findBatchesById } from '../batches/batches.repository.js';
import {
  countBatches,
  findBatchesAfter,
  listBatchesOf,
  type BatchFilter,
} from '../batches/batch-lists.repository.js';

/** A page of the organization's batches, newest first unless `oldestFirst`, without their entries. */
export async function listBatches(
  app: App,
  actor: Actor,
  query: Page & BatchFilter & { oldestFirst?: boolean },
): Promise<Paged<CountedBatch>> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const { items, total } = await listBatchesOf(app, organizationId, query);
  return { items: await countDrafts(app, items), total };
}

/** The batches whose drafts wait for approval, those with the newest or the oldest drafts first; at most `limit`. */
export async function listBatchesToReview(
  app: App,
  actor: Actor,
  limit: number,
  order: { oldestFirst?: boolean } = {},
): Promise<CountedBatch[]> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const ids = await findBatchesWithDrafts(app, organizationId, limit, order);
  const batches = await findBatchesById(app, organizationId, ids);
  return countDrafts(
    app,
    batches.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)),
  );
}

/** The batches, each with its number of entries. */
export async function countDrafts(app: App, batches: readonly Batch[]): Promise<CountedBatch[]> {
  const counts = await countEntriesOfBatches(
    app,
    batches.map(({ id }) => id),
  );
  return batches.map((batch) => {
    const { entries = 0, drafts = 0 } = counts.get(batch.id) ?? {};
    return { ...batch, totalEntries: entries, draftEntries: drafts };
  });
}

export interface ListedBatch extends CountedBatch {
  /** The name of who uploaded it; undefined for the operator and for people who were deleted. */
  uploader: string | undefined;
}

export interface BatchSlice {
  items: ListedBatch[];
  /** The id of the last batch of this slice, when more follow. */
  next: string | undefined;
  /** The number of matching batches; `mostCounted` when there are at least that many. */
  total: number;
}

/** Counting more takes longer than listing. */
export const mostCounted = 1001;

/**
 * The matching batches of the organization after the batch `after`, newest first. An unknown `after` gives the newest.
 */
export async function browseBatches(
  app: App,
  actor: Actor,
  input: BatchFilter & { after?: string | undefined; limit: number },
): Promise<BatchSlice> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const { after: last, limit, ...filter } = input;
  const after = last === undefined ? undefined : await findBatch(app, organizationId, last);
  const found = await findBatchesAfter(app, organizationId, filter, { after, limit: limit + 1 });
  const batches = await countDrafts(app, found.slice(0, limit));
  const names = await nameActors(
    app,
    actor,
    batches.map(({ createdBy }) => createdBy),
  );
  return {
    items: batches.map((batch) => ({ ...batch, uploader: names.get(batch.createdBy) })),
    next: found.length > limit ? batches.at(-1)?.id : undefined,
    total: await countBatches(app, organizationId, filter, mostCounted),
  };
}
