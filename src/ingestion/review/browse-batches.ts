import { nameActors } from '../../accounts/users/name-actors.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { countEntriesOfBatches } from '../../knowledge/entry-lists.repository.js';
import type { Batch } from '../batches/batch.js';
import {
  countBatches,
  findBatch,
  findBatchesAfter,
  type BatchFilter,
} from '../batches/batches.repository.js';

export interface ListedBatch extends Batch {
  /** The drafts that nobody has decided about. */
  draftsLeft: number;
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
  const batches = found.slice(0, limit);
  const ids = batches.map(({ id }) => id);
  const left = await countEntriesOfBatches(app, ids);
  const names = await nameActors(
    app,
    actor,
    batches.map(({ createdBy }) => createdBy),
  );
  return {
    items: batches.map((batch) => ({
      ...batch,
      draftsLeft: left.get(batch.id)?.drafts ?? 0,
      uploader: names.get(batch.createdBy),
    })),
    next: found.length > limit ? ids.at(-1) : undefined,
    total: await countBatches(app, organizationId, filter, mostCounted),
  };
}
