import type { App, Store } from '../../platform/app.js';
import { dayMs, timestamp } from '../../platform/clock.js';
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

/** A rejected draft, with the number that it had. */
export interface RejectedDraft {
  id: number;
  rejectedAt: string;
  draft: KeptDraft;
}

interface RejectedRow {
  entry_id: number;
  batch_id: string;
  draft: string;
  rejected_at: string;
}

/** Stores a draft that is deleted because somebody rejects it. */
export async function storeRejected(app: Store, batchId: string, entry: Entry): Promise<void> {
  await app.db.write<RejectedRow>('ingestion_rejected').insert({
    entry_id: entry.id,
    batch_id: batchId,
    draft: JSON.stringify(toKept(entry)),
    rejected_at: timestamp(app.clock),
  });
}

/** The rejected drafts of a batch that can still be taken back, in the order of their numbers. */
export async function findRejected(app: Store, batchId: string): Promise<RejectedDraft[]> {
  const rows = await app.db
    .read<RejectedRow>('ingestion_rejected')
    .where({ batch_id: batchId })
    .where('rejected_at', '>=', keptSince(app))
    .orderBy('entry_id')
    .select('*');
  return rows.map((row) => ({
    id: row.entry_id,
    rejectedAt: row.rejected_at,
    draft: JSON.parse(row.draft) as RejectedDraft['draft'],
  }));
}

export async function forgetRejected(app: Store, batchId: string, id: number): Promise<void> {
  await app.db
    .write<RejectedRow>('ingestion_rejected')
    .where({ batch_id: batchId, entry_id: id })
    .delete();
}
