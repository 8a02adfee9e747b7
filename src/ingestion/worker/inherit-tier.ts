import { isNarrower, visibilities, type Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { findEntriesWhere } from '../../knowledge/entry-lists.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import { changeEntry } from '../../knowledge/store-entries.js';
import type { Batch } from '../batches/batch.js';
import { findReadings } from '../batches/batches.repository.js';
import type { LeasedBatch } from './lease.repository.js';

/** How far the document is open before the batch is read; undefined where it was not read before. */
export async function tierOfDocument(app: App, batch: Batch): Promise<Visibility | undefined> {
  const { organizationId, document } = batch;
  const entries = await findEntriesWhere(app, { organizationId, document });
  const tiers = entries.filter((entry) => entry.batchId !== batch.id).map((one) => one.visibility);
  const widest = [...visibilities].find((tier) => tiers.includes(tier));
  const readings = await findReadings(app, organizationId, document);
  const last = readings.find((one) => one.status !== 'failed' && one.visibility !== null);
  return last?.visibility == null ? widest : narrower(last.visibility, widest);
}

/**
 * The tier of a batch's new entries: the chosen one, else the app's default, or a narrower one that the document has. A
 * new version that is uploaded without a tier never opens what an earlier version restricted.
 */
export function tierOf(
  batch: Batch,
  byDefault: Visibility,
  ofDocument: Visibility | undefined,
): { visibility: Visibility; visibilityDefaulted: boolean } {
  if (batch.visibility !== null) {
    return { visibility: batch.visibility, visibilityDefaulted: false };
  }
  const visibility = narrower(byDefault, ofDocument);
  return { visibility, visibilityDefaulted: visibility === byDefault };
}

function narrower(one: Visibility, other: Visibility | undefined): Visibility {
  return other !== undefined && isNarrower(other, one) ? other : one;
}

/**
 * Passes on to the draft of a changed section what a person chose for its earlier draft or entry (URL pattern, view,
 * tier), where nothing else was chosen for its batch. Runs inside the caller's transaction.
 */
export async function inheritChoices(
  app: App,
  batch: LeasedBatch,
  draft: Entry,
  earlier: Entry,
  isReplaced: boolean,
): Promise<void> {
  if (isReplaced) {
    // It will have the tier of the entry, whatever the rest of the document has.
    if (batch.visibility !== null || draft.visibilityDefaulted) return;
    const change = { visibility: earlier.visibility, visibilityDefaulted: true };
    await changeEntry(app, draft, change, batch.createdBy);
    return;
  }
  const { urlPattern, viewId, visibility } = earlier;
  const isClosed = !earlier.visibilityDefaulted && isNarrower(visibility, draft.visibility);
  if (!isClosed && urlPattern === null && viewId === null) return;
  const tier = isClosed ? { visibility, visibilityDefaulted: false } : {};
  await changeEntry(app, draft, { urlPattern, viewId, ...tier }, batch.createdBy);
}
