import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { checkVersion, type Entry } from '../../knowledge/entry.js';
import { deleteEntry } from '../../knowledge/delete-entry.js';
import { getEntry } from '../../knowledge/read-entries.js';
import { updateEntry } from '../../knowledge/update-entry.js';
import { findRejected, forgetRejected, storeRejected } from '../batches/rejected.repository.js';
import { approveBatch } from './approve-batch.js';
import { getBareBatch } from './review-batch.js';
import { restoreDraft } from './undo-reshaping.js';
import { recordEntry } from '../../knowledge/store-entries.js';

/** One entry of a batch, and the version of it that the reviewer has read. */
export interface Decision {
  batchId: string;
  entryId: number;
  /** As an ETag. */
  ifMatch: string;
}

/**
 * Publishes one draft that the reviewer has read. Errors: `precondition_failed` for a draft that has changed since;
 * those of approveBatch.
 */
export async function acceptDraft(app: App, actor: Actor, decision: Decision): Promise<void> {
  const { batchId, entryId } = decision;
  await inTransaction(app, async (app) => {
    await entryOf(app, actor, decision);
    await approveBatch(app, actor, { batchId, entryIds: [entryId] });
  });
}

/**
 * Deletes a draft, and keeps it with its batch for seven days, so that takeBackRejection can restore it. Errors:
 * `precondition_failed` for a draft that has changed since; `conflict` for an entry that is published.
 */
export async function rejectDraft(app: App, actor: Actor, decision: Decision): Promise<void> {
  await inTransaction(app, async (app) => {
    const entry = await entryOf(app, actor, decision);
    if (entry.status === 'published') {
      throw new AppError('conflict', 'The entry is published: take it back before you reject it.', {
        reason: { is: 'draft_published' },
      });
    }
    await storeRejected(app, decision.batchId, entry);
    await deleteEntry(app, actor, String(entry.id));
  });
}

/** Makes an accepted entry a draft again. Errors: `precondition_failed` for an entry that has changed since. */
export async function takeBackApproval(app: App, actor: Actor, decision: Decision): Promise<Entry> {
  return inTransaction(app, async (app) => {
    const { id } = await entryOf(app, actor, decision);
    const change = { status: 'draft', ifMatch: decision.ifMatch } as const;
    return updateEntry(app, actor, String(id), change);
  });
}

/**
 * Restores a rejected draft, under a new number. Errors: `not_found` for a draft that was not rejected in the last
 * seven days; `conflict` for one of a batch whose document was read again since.
 */
export async function takeBackRejection(
  app: App,
  actor: Actor,
  { batchId, entryId }: Pick<Decision, 'batchId' | 'entryId'>,
): Promise<Entry> {
  const member = requirePermission(actor, 'knowledge.write');
  return inTransaction(app, async (app) => {
    const batch = await getBareBatch(app, member, batchId);
    const rejected = (await findRejected(app, batchId)).find(({ id }) => id === entryId);
    if (rejected === undefined) {
      throw new AppError('not_found', `Draft ${entryId} of this batch was not rejected lately.`);
    }
    if (batch.supersededBy !== null) {
      const sentence = `The document was read again since, as batch ${batch.supersededBy}: its drafts are there.`;
      throw new AppError('conflict', sentence, { reason: { is: 'read_again' } });
    }
    const entry = await restoreDraft(app, member, rejected.draft);
    await forgetRejected(app, batchId, entryId);
    await recordEntry(app, member, 'create', { after: entry });
    return entry;
  });
}

/** Errors: `not_found` for an entry that is not of the batch; `precondition_failed` for another version of it. */
async function entryOf(
  app: App,
  actor: Actor,
  { batchId, entryId, ifMatch }: Decision,
): Promise<Entry> {
  const member = requirePermission(actor, 'knowledge.write');
  await getBareBatch(app, member, batchId);
  const entry = await getEntry(app, member, String(entryId));
  if (entry.batchId !== batchId) {
    throw new AppError('not_found', `There is no entry ${entryId} in this batch.`);
  }
  checkVersion(entry, ifMatch);
  return entry;
}
