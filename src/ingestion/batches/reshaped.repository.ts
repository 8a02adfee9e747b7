import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import type { Entry } from '../../knowledge/entry.js';
import { keptSince, toKept, type KeptDraft } from './rejected.repository.js';

// Merged, split and corrected drafts as they were. The caller must have checked that the batch belongs to the organization.

/** What a person did to a draft besides editing and deciding: it can be undone while its results are unchanged. */
export interface Reshaping {
  id: number;
  batchId: string;
  kind: 'merge' | 'split' | 'replace';
  /** The draft whose text was replaced, the merged one, or the first part of a split one, and its version after that. */
  entryId: number;
  version: number;
  /** The second part of a split draft; else null. */
  otherId: number | null;
  otherVersion: number | null;
  /** The entry that the merge reports as gone, if any. */
  goneId: number | null;
  /** The drafts before it: two for a merge, else one. */
  before: KeptDraft[];
  /** The version of the first of them. */
  versionBefore: number;
  /** The replacement in many drafts that it is a part of. */
  replacement: DoneReplacement | undefined;
}

export interface DoneReplacement {
  id: string;
  find: string;
  replacement: string;
}

/** A change to keep: the drafts before it and after it. */
export interface NewReshaping extends Pick<Reshaping, 'kind'> {
  from: readonly [Entry, ...Entry[]];
  to: readonly [Entry, ...Entry[]];
  gone?: Entry | undefined;
  replacement?: DoneReplacement;
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
  replacement_id: string | null;
  before: string;
  reshaped_at: string;
}

/**
 * Deletes drafts that were kept so that a rejection, a merge, a split or a replacement can be undone, once its time is
 * over: at most `limit` of each. Returns their number.
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
export async function storeReshaping(
  app: Store,
  batchId: string,
  { kind, from, to, gone, replacement }: NewReshaping,
): Promise<void> {
  const [entry, other] = to;
  const kept = { versionBefore: from[0].version, before: from.map(toKept), replacement };
  await app.db.write<Row>('ingestion_reshaped').insert({
    ...{ batch_id: batchId, kind, entry_id: entry.id, version: entry.version },
    ...{ other_id: other?.id ?? null, other_version: other?.version ?? null },
    ...{ gone_id: gone?.id ?? null, replacement_id: replacement?.id ?? null },
    before: JSON.stringify(kept),
    reshaped_at: timestamp(app.clock),
  });
}

/** The last thing that was done to a draft of a batch and can still be undone, by its first draft. */
export async function findReshaping(
  app: Store,
  batchId: string,
  entryId: number,
): Promise<Reshaping | undefined> {
  const row = await keptOf(app, batchId).where({ entry_id: entryId }).first();
  return row === undefined ? undefined : toReshaping(row);
}

/** The newest first. */
function keptOf(app: Store, batchId: string) {
  return app.db
    .read<Row>('ingestion_reshaped')
    .where({ batch_id: batchId })
    .where('reshaped_at', '>=', keptSince(app))
    .orderBy('id', 'desc');
}

function toReshaping(row: Row): Reshaping {
  const { batch_id, kind, entry_id, version, other_id, other_version, gone_id } = row;
  const { before, versionBefore, replacement } = JSON.parse(row.before) as Pick<
    Reshaping,
    'before' | 'versionBefore' | 'replacement'
  >;
  return {
    ...{ id: row.id, batchId: batch_id, kind, entryId: entry_id, version, goneId: gone_id },
    ...{ otherId: other_id, otherVersion: other_version, before, versionBefore, replacement },
  };
}

/** The drafts of a batch whose text was replaced and can still be put back, the newest first. */
export async function findReplaced(
  app: Store,
  batchId: string,
): Promise<(Pick<Reshaping, 'id' | 'entryId' | 'version'> & { replacementId: string })[]> {
  const rows: { id: number; entry_id: number; version: number; replacement_id: string }[] =
    await keptOf(app, batchId)
      .whereNotNull('replacement_id')
      .select('id', 'entry_id', 'version', 'replacement_id');
  return rows.map(({ entry_id, replacement_id, ...row }) => ({
    ...row,
    entryId: entry_id,
    replacementId: replacement_id,
  }));
}

/** What was done in one of them. */
export async function findReplacement(
  app: Store,
  batchId: string,
  id: number,
): Promise<DoneReplacement | undefined> {
  const row = await keptOf(app, batchId).where({ id }).first();
  return row === undefined ? undefined : toReshaping(row).replacement;
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
