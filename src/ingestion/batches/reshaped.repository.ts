import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { json, plain, record, type RecordOf } from '../../platform/db/record.js';
import type { Entry } from '../../knowledge/entry.js';
import { keptSince, toKept, type KeptDraft } from './rejected.repository.js';

// Merged, split and corrected drafts as they were. The caller must have checked that the batch belongs to the organization.

/** A replacement in many drafts. */
export interface DoneReplacement {
  id: string;
  find: string;
  replacement: string;
}

const reshapings = record({
  id: plain<number>(),
  batchId: plain<string>(),
  kind: plain<'merge' | 'split' | 'replace'>(),
  /** The draft whose text was replaced, the merged one, or the first part of a split one, and its version after that. */
  entryId: plain<number>(),
  version: plain<number>(),
  /** The second part of a split draft; else null. */
  otherId: plain<number | null>(),
  otherVersion: plain<number | null>(),
  /** The entry that the merge reports as gone, if any. */
  goneId: plain<number | null>(),
  replacementId: plain<string | null>(),
  /** The drafts before it, two for a merge, else one, with the version of the first. */
  kept: json<{ before: KeptDraft[]; versionBefore: number; replacement?: DoneReplacement }>(
    'before',
  ),
  reshapedAt: plain<string>(),
});

/** What a person did to a draft besides editing and deciding: it can be undone while its results are unchanged. */
export type Reshaping = RecordOf<typeof reshapings>;

/** A change to keep: the drafts before it and after it. */
export interface NewReshaping extends Pick<Reshaping, 'kind'> {
  from: readonly [Entry, ...Entry[]];
  to: readonly [Entry, ...Entry[]];
  gone?: Entry | undefined;
  replacement?: DoneReplacement;
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
  const row = reshapings.columns({
    batchId,
    kind,
    entryId: entry.id,
    version: entry.version,
    otherId: other?.id,
    otherVersion: other?.version,
    goneId: gone?.id,
    replacementId: replacement?.id,
    kept: {
      before: from.map(toKept),
      versionBefore: from[0].version,
      ...(replacement && { replacement }),
    },
    reshapedAt: timestamp(app.clock),
  });
  await app.db.write('ingestion_reshaped').insert(row);
}

/** The last thing that was done to a draft of a batch and can still be undone, by its first draft. */
export async function findReshaping(
  app: Store,
  batchId: string,
  entryId: number,
): Promise<Reshaping | undefined> {
  return reshapings.first(keptOf(app, batchId).where({ entry_id: entryId }));
}

/** The newest first. */
function keptOf(app: Store, batchId: string) {
  return app.db
    .read('ingestion_reshaped')
    .where({ batch_id: batchId })
    .where('reshaped_at', '>=', keptSince(app))
    .orderBy('id', 'desc');
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
  return (await reshapings.first(keptOf(app, batchId).where({ id })))?.kept.replacement;
}

/** Forgets what was undone. What was done before it is about the restored drafts from now on. */
export async function forgetReshaping(
  app: Store,
  undone: Reshaping,
  restored: { version: number },
): Promise<void> {
  const { id, batchId, entryId, kept } = undone;
  const { versionBefore } = kept;
  const { version } = restored;
  const rows = () => app.db.write('ingestion_reshaped').where({ batch_id: batchId });
  await rows().where({ id }).delete();
  await rows().where({ entry_id: entryId, version: versionBefore }).update({ version });
  await rows()
    .where({ other_id: entryId, other_version: versionBefore })
    .update({ other_version: version });
}
