import { recordChangeBy } from '../audit/record-change.js';
import { isNarrower } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Entry } from '../knowledge/entry.js';
import { presentEntry } from '../knowledge/knowledge.schema.js';
import { changeEntry } from '../knowledge/store-entries.js';
import type { LeasedBatch } from './lease.repository.js';

/**
 * Gives the visibility that was chosen for a batch to those entries of its document that are open to more, published
 * ones at once: who asks for it takes the document to be closed from then on. It never opens what stands. Answers how
 * many it closed. Runs inside the caller's transaction.
 */
export async function narrowVisibility(
  app: App,
  batch: LeasedBatch,
  entries: readonly Entry[],
): Promise<number> {
  const { visibility, createdBy, organizationId } = batch;
  if (visibility === null) return 0;
  const open = entries.filter((entry) => isNarrower(visibility, entry.visibility));
  for (const entry of open) {
    const change = { visibility, visibilityDefaulted: false };
    const changed = await changeEntry(app, entry, change, createdBy);
    await recordChangeBy(app, createdBy, {
      organizationId,
      action: 'entry.update',
      subject: `entry:${entry.uuid}`,
      before: presentEntry(entry),
      after: presentEntry(changed),
    });
  }
  return open.length;
}
