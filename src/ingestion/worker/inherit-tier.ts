import { isNarrower, visibilities, type Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { findEntriesWhere } from '../../knowledge/entry-lists.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import { changeEntry } from '../../knowledge/store-entries.js';
import type { Batch, LeasedBatch } from '../batches/batch.js';
import { findReadings } from '../batches/batches.repository.js';

/** The visibility tier of the document before the batch; undefined for a new document. */
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
 * The tier of a batch's new entries: the chosen one, else the narrower of the app's default and the document's tier. A
 * new version without a chosen tier never widens a restricted document.
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
 * Copies a person's choices (URL pattern, view, tier) from an earlier draft or entry to the draft of the changed
 * section, unless the batch chose differently. Runs inside the caller's transaction.
 */
export async function inheritChoices(
  app: App,
  batch: LeasedBatch,
  draft: Entry,
  earlier: Entry,
  isReplaced: boolean,
): Promise<void> {
  if (isReplaced) {
    // It will get the tier of the entry, whatever tier the rest of the document has.
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
