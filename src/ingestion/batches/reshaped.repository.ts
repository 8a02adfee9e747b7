import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { keptSince, type KeptDraft } from './rejected.repository.js';

// Merged and split drafts as they were. The caller must have checked that the batch belongs to the organization.

/** What a person did to a draft besides editing and deciding: it can be undone while its results are unchanged. */
export interface Reshaping {
  id: number;
  batchId: string;
  kind: 'merge' | 'split';
  /** The merged draft, or the first part of a split one, and its version after that. */
  entryId: number;
  version: number;
  /** The second part of a split draft; null for a merge. */
  otherId: number | null;
  otherVersion: number | null;
  /** The entry that the merge reports as gone, if any. */
  goneId: number | null;
  /** The drafts before it: two for a merge, one for a split. */
  before: KeptDraft[];
  /** The version of the first of them. */
  versionBefore: number;
}

interface Row {
  id: number;
  batch_id: string;
  kind: Reshaping['kind'];
  entry_id: number;
  version: number;
  other_id: number | null;
  other_version: number | null;
  gone_id: number | null;
  before: string;
  reshaped_at: string;
}

/**
 * Deletes drafts that were kept so that a rejection, a merge or a split can be undone, once its time is over: at most
 * `limit` of each. Returns their number.
 */
export async function forgetPastUndo(app: Store, limit: number): Promise<number> {
  let forgotten = 0;
  for (const [table, key, time] of [
    ['ingestion_rejected', 'entry_id', 'rejected_at'],
    ['ingestion_reshaped', 'id', 'reshaped_at'],
  ] as const) {
    const old = app.db.read(table).where(time, '<', keptSince(app)).select(key).limit(limit);
    forgotten += await app.db.write(table).whereIn(key, old).delete();
  }
  return forgotten;
}

/** Stores what was done to a draft. */
export async function storeReshaping(app: Store, done: Omit<Reshaping, 'id'>): Promise<void> {
  const { batchId, kind, entryId, version, otherId, otherVersion, goneId } = done;
  const { before, versionBefore } = done;
  await app.db.write<Row>('ingestion_reshaped').insert({
    ...{ batch_id: batchId, kind, entry_id: entryId, version, gone_id: goneId },
    ...{ other_id: otherId, other_version: otherVersion },
    before: JSON.stringify({ versionBefore, before }),
    reshaped_at: timestamp(app.clock),
  });
}

/** The last thing that was done to a draft of a batch and can still be undone, by its first draft. */
export async function findReshaping(
  app: Store,
  batchId: string,
  entryId: number,
): Promise<Reshaping | undefined> {
  const row = await app.db
    .read<Row>('ingestion_reshaped')
    .where({ batch_id: batchId, entry_id: entryId })
    .where('reshaped_at', '>=', keptSince(app))
    .orderBy('id', 'desc')
    .first();
  if (row === undefined) return undefined;
  const { batch_id, kind, entry_id, version, other_id, other_version, gone_id } = row;
  const kept = JSON.parse(row.before) as Pick<Reshaping, 'before' | 'versionBefore'>;
  return {
    ...{ id: row.id, batchId: batch_id, kind, entryId: entry_id, version, goneId: gone_id },
    ...{ otherId: other_id, otherVersion: other_version, ...kept },
  };
}

/** Forgets what was undone. What was done before it is about the restored drafts from now on. */
export async function forgetReshaping(
  app: Store,
  undone: Reshaping,
  restored: { version: number },
): Promise<void> {
  const { id, batchId, entryId, versionBefore } = undone;
  const { version } = restored;
  const rows = () => app.db.write<Row>('ingestion_reshaped').where({ batch_id: batchId });
  await rows().where({ id }).delete();
  await rows().where({ entry_id: entryId, version: versionBefore }).update({ version });
  await rows()
    .where({ other_id: entryId, other_version: versionBefore })
    .update({ other_version: version });
}
