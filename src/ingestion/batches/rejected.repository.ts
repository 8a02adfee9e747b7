import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import type { Entry, NewEntry } from '../../knowledge/entry.js';

// Rejected drafts are no entries: only their batch lists them. The caller must have checked that the batch belongs to
// the organization.

type Store = Pick<App, 'db' | 'clock'>;

/** How long a rejection can be undone. */
const keptMs = 7 * 24 * 3600 * 1000;

/** A rejected draft, with the number that it had. */
export interface RejectedDraft {
  id: number;
  rejectedAt: string;
  draft: Omit<NewEntry, 'changedBy'>;
}

interface RejectedRow {
  entry_id: number;
  batch_id: string;
  draft: string;
  rejected_at: string;
}

/** Stores a draft that is deleted because somebody rejects it. Deletes those whose time is over. */
export async function storeRejected(app: Store, batchId: string, entry: Entry): Promise<void> {
  await app.db
    .write<RejectedRow>('ingestion_rejected')
    .where('rejected_at', '<', oldest(app))
    .delete();
  // Who changed the draft last is not kept here: the record of changes has it.
  const { id, changedBy: _changedBy, version: _version, scope: _scope, ...draft } = entry;
  await app.db.write<RejectedRow>('ingestion_rejected').insert({
    entry_id: id,
    batch_id: batchId,
    draft: JSON.stringify(draft),
    rejected_at: timestamp(app.clock),
  });
}

/** The rejected drafts of a batch that can still be taken back, in the order of their numbers. */
export async function findRejected(app: Store, batchId: string): Promise<RejectedDraft[]> {
  const rows = await app.db
    .read<RejectedRow>('ingestion_rejected')
    .where({ batch_id: batchId })
    .where('rejected_at', '>=', oldest(app))
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

function oldest(app: Store): string {
  return new Date(app.clock.now().getTime() - keptMs).toISOString();
}
