import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { isTakenBack } from '../ingestion/batches/batch.js';
import { approveBatch } from '../ingestion/review/approve-batch.js';
import { getBatch } from '../ingestion/review/review-batch.js';
import type { Policy } from './source.js';

/**
 * Publishes what the policy lets through of a completed batch, and returns the number of published entries. Drafts that a
 * person edited or took back wait in any case, and so do new versions of entries that a person edited.
 */
export async function applyPolicy(
  app: App,
  actor: Actor,
  batchId: string,
  policy: Policy,
): Promise<number> {
  if (policy === 'review') return 0;
  const { entries, replaced, gone } = await getBatch(app, actor, batchId);
  const earlier = new Map(replaced.map((entry) => [entry.id, entry]));
  const entryIds = entries
    .filter((draft) => {
      if (draft.status !== 'draft' || draft.edited || isTakenBack(draft, replaced)) return false;
      if (draft.replacesId === null) return policy === 'publish';
      return earlier.get(draft.replacesId)?.edited === false;
    })
    .map(({ id }) => id);
  // Gone entries are deleted together: if a person edited one of them, a person decides on all.
  const deleteGone = policy === 'publish' && gone.length > 0 && gone.every(({ edited }) => !edited);
  if (entryIds.length === 0 && !deleteGone) return 0;
  return (await approveBatch(app, actor, { batchId, entryIds, deleteGone })).approved;
}
