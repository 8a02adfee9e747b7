import type { App, Store } from '../../platform/app.js';
import { dayMs, timestamp } from '../../platform/clock.js';
import { json, plain, record, type RecordOf } from '../../platform/db/record.js';
import type { Entry, NewEntry } from '../../knowledge/entry.js';

// Rejected drafts are no entries: only their batch lists them. The caller must have checked that the batch belongs to
// the organization.

/** How long a decision can be undone. */
const keptMs = 7 * dayMs;

/** The stored fields of a draft that may be restored. The record of changes names who changed it last. */
export type KeptDraft = Omit<NewEntry, 'changedBy'>;

export function toKept(entry: Entry): KeptDraft {
  const { id: _id, changedBy: _changedBy, version: _version, scope: _scope, ...draft } = entry;
  return draft;
}

/** The time from which on what was kept can be restored. */
export function keptSince(app: Pick<App, 'clock'>): string {
  return new Date(app.clock.now().getTime() - keptMs).toISOString();
}

const rejectedDrafts = record({
  /** The number that it had. */
  id: plain<number>('entry_id'),
  batchId: plain<string>(),
  draft: json<KeptDraft>(),
  rejectedAt: plain<string>(),
});

export type RejectedDraft = RecordOf<typeof rejectedDrafts>;

/** Stores a draft that is deleted because somebody rejects it. */
export async function storeRejected(app: Store, batchId: string, entry: Entry): Promise<void> {
  const { id } = entry;
  const rejected = { id, batchId, draft: toKept(entry), rejectedAt: timestamp(app.clock) };
  await app.db.write('ingestion_rejected').insert(rejectedDrafts.columns(rejected));
}

/** The rejected drafts of a batch that can still be taken back, in the order of their numbers. */
export async function findRejected(app: Store, batchId: string): Promise<RejectedDraft[]> {
  const kept = app.db.read('ingestion_rejected').where({ batch_id: batchId });
  return rejectedDrafts.all(kept.where('rejected_at', '>=', keptSince(app)).orderBy('entry_id'));
}

export async function forgetRejected(app: Store, batchId: string, id: number): Promise<void> {
  const rejected = app.db.write('ingestion_rejected').where({ batch_id: batchId, entry_id: id });
  await rejected.delete();
}
