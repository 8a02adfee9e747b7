import { recordChange } from '../../audit/record-change.js';
import type { Member } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { renameDocument } from '../../knowledge/entries.repository.js';
import { documentOf } from '../../knowledge/entry.js';
import type { Batch } from '../batches/batch.js';
import { renameReadings } from '../batches/batches.repository.js';
import type { Upload } from './identity.js';

/**
 * Gives a document without a source the one that an upload of the same file states, with all its versions and entries.
 * Any other document stays as it is. Returns the batch as it is then. Runs inside the caller's transaction.
 */
export async function adoptDocument(
  app: App,
  member: Member,
  batch: Batch,
  upload: Upload,
): Promise<Batch> {
  const { source, fileName } = upload;
  if (source === null || batch.source !== null || batch.fileName !== fileName) return batch;
  const { organizationId } = batch;
  const document = documentOf(upload);
  await renameReadings(app, organizationId, batch.document, { document, source });
  await renameDocument(app, organizationId, batch.document, document);
  await recordChange(app, member, {
    organizationId,
    action: 'document.adopt',
    subject: `batch:${batch.id}`,
    before: { document: batch.document },
    after: { document },
  });
  return { ...batch, source, document };
}
