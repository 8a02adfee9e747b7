import type { App } from '../../platform/app.js';
import { may, requirePermission, type Actor } from '../../platform/actor.js';
import { findEntriesByUuid } from '../../knowledge/entries.repository.js';
import { findBatchesById } from '../batches/batches.repository.js';

/** Where the review of a batch shows the source of an entry. */
export interface SourcePlace {
  batchId: string;
  entryId: number;
}

/**
 * The places that entries have in the files that they were read from, by their uuids. None of an entry that a person
 * wrote, or whose file is no longer kept, and none for a reader who may not review.
 */
export async function findSourcePlaces(
  app: App,
  actor: Actor,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, SourcePlace>> {
  if (uuids.length === 0 || !may(actor, 'knowledge.write')) return new Map();
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const entries = await findEntriesByUuid(app, organizationId, [...new Set(uuids)]);
  const batchIds = new Set(entries.flatMap(({ batchId }) => batchId ?? []));
  const kept = await findBatchesById(app, organizationId, [...batchIds]);
  const places = new Map<string, SourcePlace>();
  for (const { uuid, id: entryId, batchId, chunkIndex } of entries) {
    const batch = kept.find(({ id }) => id === batchId);
    if (batch !== undefined && chunkIndex !== null)
      places.set(uuid, { batchId: batch.id, entryId });
  }
  return places;
}
