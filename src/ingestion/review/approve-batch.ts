import { recordChange } from '../../audit/record-change.js';
import { nameOf, requirePermission, type Actor, type Member } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { replaceEntry } from '../../knowledge/document-entries.js';
import { findEntriesById } from '../../knowledge/entries.repository.js';
import { findEntriesWhere } from '../../knowledge/entry-lists.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import { publishEntries, removeEntries, recordEntry } from '../../knowledge/store-entries.js';
import { isTakenBack, type Batch } from '../batches/batch.js';
import { findApprovedIds, findGoneIds, storeApproved } from '../batches/findings.repository.js';
import { findBatchEntries, getBareBatch, inOrderOfDocument } from './review-batch.js';

export interface ApproveInput {
  batchId: string;
  entryIds: number[] | 'all';
  /** Also delete the entries whose text is no longer in the document (`gone`). */
  deleteGone?: boolean | undefined;
}

/**
 * Publishes drafts of a batch: all requested ones, or none. `all` leaves out drafts that a person unpublished. A draft
 * that replaces an entry becomes that entry's next version, and is listed by its number from then on. Returns the
 * number of published drafts and of deleted gone entries. Errors: `unprocessable` for an id outside this batch;
 * `conflict` while the batch is being compared with an earlier version of its document.
 */
export async function approveBatch(
  app: App,
  actor: Actor,
  input: ApproveInput,
): Promise<{ approved: number; deleted: number }> {
  const member = requirePermission(actor, 'knowledge.write');
  return inTransaction(app, async (app) => {
    const batch = await getBareBatch(app, member, input.batchId);
    const chosen = await chooseEntries(app, batch, input.entryIds);
    const drafts = chosen.filter((entry) => entry.status === 'draft');
    if (drafts.length > 0) await assertCompared(app, batch);
    const replacing = drafts.filter((draft) => draft.replacesId !== null);
    const replaced = await replaceEntries(app, member, batch, replacing);
    const rest = drafts.filter((draft) => !replaced.some((one) => one.draftId === draft.id));
    await publishEntries(app, rest, nameOf(member));
    const published = [...rest.map(({ id }) => id), ...replaced.map(({ entryId }) => entryId)];
    await storeApproved(
      app,
      published.map((entryId) => ({ batchId: input.batchId, entryId })),
    );
    if (drafts.length > 0) {
      const entry_ids = drafts.map((entry) => entry.id);
      const names = replaced.map(({ draftId, entryId }) => ({ draft: draftId, entry: entryId }));
      await recordChange(app, member, {
        organizationId: member.organizationId,
        action: 'batch.approve',
        subject: `batch:${input.batchId}`,
        after: { entry_ids, ...(names.length === 0 ? {} : { replaced: names }) },
      });
    }
    const deleted = input.deleteGone === true ? await deleteGone(app, member, batch) : 0;
    return { approved: drafts.length, deleted };
  });
}

async function chooseEntries(app: App, batch: Batch, entryIds: number[] | 'all'): Promise<Entry[]> {
  const { id: batchId, organizationId } = batch;
  if (entryIds === 'all') {
    const { entries, replaced } = await findBatchEntries(app, batch);
    return entries.filter((entry) => !isTakenBack(entry, replaced));
  }
  const wanted = new Set(entryIds);
  const found = await findEntriesById(app, [...wanted]);
  const chosen = found.filter(
    (entry) => entry.batchId === batchId && entry.organizationId === organizationId,
  );
  if (chosen.length === wanted.size) return inOrderOfDocument(chosen);
  // These were approved, and since then moved to another entry or batch: approving them again is no error.
  const known = new Set([
    ...chosen.map((entry) => entry.id),
    ...(await findApprovedIds(app, batchId)),
  ]);
  const foreign = [...wanted].filter((id) => !known.has(id));
  if (foreign.length === 0) return inOrderOfDocument(chosen);
  const named = foreign.slice(0, 10).join(', ');
  throw new AppError(
    'unprocessable',
    `Nothing was approved: ${named} ${foreign.length === 1 ? 'is' : 'are'} not of this batch.${whereTo(batch)}`,
    {
      problems: [{ path: 'entry_ids', message: `not of this batch: ${named}` }],
      reason: { is: 'not_of_batch' },
    },
  );
}

/** Names the batch that took over the drafts, if the document was read again. */
function whereTo({ supersededBy }: Batch): string {
  return supersededBy === null ? '' : ` Batch ${supersededBy} has taken over its drafts.`;
}

/** Refuses a batch that was not compared yet: its drafts, published now, would duplicate what they replace. */
async function assertCompared(app: App, batch: Batch): Promise<void> {
  if (batch.status !== 'processing') return;
  const { organizationId, document } = batch;
  const entries = await findEntriesWhere(app, { organizationId, document });
  if (entries.every((entry) => entry.batchId === batch.id)) return;
  throw new AppError(
    'conflict',
    'The batch is a new version of a document, and is still compared with the entries of the last. Approve it when it is completed.',
    { reason: { is: 'not_compared' } },
  );
}

async function replaceEntries(
  app: App,
  member: Member,
  batch: Batch,
  drafts: Entry[],
): Promise<{ draftId: number; entryId: number }[]> {
  const { organizationId } = member;
  const replaced: { draftId: number; entryId: number }[] = [];
  for (const draft of drafts) {
    const [entry] = draft.replacesId === null ? [] : await findEntriesById(app, [draft.replacesId]);
    if (entry?.organizationId !== organizationId) continue;
    const changed = await replaceEntry(app, entry, draft, nameOf(member));
    await recordEntry(app, member, 'replace', { before: entry, after: changed });
    replaced.push({ draftId: draft.id, entryId: entry.id });
    await storeApproved(app, [
      { batchId: batch.id, entryId: draft.id },
      ...(entry.batchId === null ? [] : [{ batchId: entry.batchId, entryId: entry.id }]),
    ]);
  }
  return replaced;
}

async function deleteGone(app: App, member: Member, batch: Batch): Promise<number> {
  const gone = await findEntriesById(app, await findGoneIds(app, batch.id));
  await removeEntries(
    app,
    gone.map((entry) => entry.id),
  );
  for (const entry of gone) {
    await recordEntry(app, member, 'delete', { before: entry });
  }
  return gone.length;
}
