import { isNarrower } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { findEntriesWhere } from '../../knowledge/entry-lists.repository.js';
import type { Batch } from '../batches/batch.js';
import { findReadings, type RelatedBatches } from '../batches/batches.repository.js';
import { isAdoptable, type Upload } from './identity.js';

/**
 * The batch that has read the same bytes: the latest one of the document or, if nothing was read under that name, one
 * of another document. Undefined when the file must be read: another version is current, the batch was deleted, or its
 * entries are visible to more people than now requested.
 */
export async function findDuplicate(
  app: App,
  upload: Upload,
  { readings, unsourced, same }: RelatedBatches,
): Promise<Batch | undefined> {
  const known = readings.length === 0 && isAdoptable(upload, unsourced) ? unsourced : readings;
  const isSame = (batch: Batch) => batch.fileSha256 === upload.fileSha256;
  const last = known.find((batch) => batch.status !== 'failed' || isSame(batch));
  if (last !== undefined) {
    if (!isSame(last) || last.appId !== upload.appId || isOutdated(last, known)) return undefined;
    return (await isOpenToMore(app, last, upload)) ? undefined : last;
  }
  // Sources are apart: one must not depend on a file that only another one has.
  const shared = same.filter(({ source }) => upload.source === null || source === upload.source);
  for (const batch of shared) {
    const others = await findReadings(app, batch.organizationId, batch.document);
    if (!isOutdated(batch, others)) return batch;
  }
  return undefined;
}

/** True when another reading of its document has replaced it, or is about to. */
function isOutdated(batch: Batch, readings: Batch[]): boolean {
  if (batch.supersededBy !== null) return true;
  return readings.some(
    (other) =>
      other.id !== batch.id &&
      other.status === 'processing' &&
      (batch.status !== 'processing' || other.createdAt > batch.createdAt),
  );
}

async function isOpenToMore(app: App, batch: Batch, { visibility }: Upload): Promise<boolean> {
  if (visibility === null) return false;
  // A batch that is unread or will be retried gives its entries its own visibility.
  if (batch.status !== 'completed') return isNarrower(visibility, batch.visibility ?? 'public');
  const { organizationId, document } = batch;
  const entries = await findEntriesWhere(app, { organizationId, document });
  return entries.some((entry) => isNarrower(visibility, entry.visibility));
}
