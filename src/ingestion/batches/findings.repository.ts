import type { WithDb } from '../../platform/app.js';
import type { HiddenText } from '../../pdf/layout/page.js';

// Findings of a reading besides its entries. The caller must have checked that the batches belong to the organization.

/** Stores the entries that the document no longer contains. Findings of its other readings are outdated and deleted. */
export async function storeGone(
  app: WithDb,
  batch: { id: string; organizationId: number; document: string },
  entryIds: number[],
): Promise<void> {
  const readings = app.db
    .read('ingestion_batches')
    .where({ organization_id: batch.organizationId, document: batch.document })
    .select('id');
  await app.db.write('ingestion_gone').whereIn('batch_id', readings).delete();
  const rows = entryIds.map((entryId) => ({ batch_id: batch.id, entry_id: entryId }));
  await insertRows(app, 'ingestion_gone', rows);
}

/** Reports one more entry as gone, because a person has merged its text into another one. */
export async function addGone(app: WithDb, batchId: string, entryId: number): Promise<void> {
  await app.db
    .write('ingestion_gone')
    .insert({ batch_id: batchId, entry_id: entryId })
    .onConflict(['batch_id', 'entry_id'])
    .ignore();
}

export async function removeGone(app: WithDb, batchId: string, entryId: number): Promise<void> {
  await app.db.write('ingestion_gone').where({ batch_id: batchId, entry_id: entryId }).delete();
}

/** The entries that the document no longer contained when the batch read it, and that still exist. */
export async function findGoneIds(app: WithDb, batchId: string): Promise<number[]> {
  const rows = app.db.read('ingestion_gone').where({ batch_id: batchId }).orderBy('entry_id');
  return (await rows.pluck('entry_id')) as number[];
}

/** Stores the numbers of approved entries with the batches that listed them, under this number or under another. */
export async function storeApproved(
  app: WithDb,
  approved: { batchId: string; entryId: number }[],
): Promise<void> {
  const rows = approved.map(({ batchId, entryId }) => ({ batch_id: batchId, entry_id: entryId }));
  for (let start = 0; start < rows.length; start += 100) {
    await app.db
      .write('ingestion_approved')
      .insert(rows.slice(start, start + 100))
      .onConflict(['batch_id', 'entry_id'])
      .ignore();
  }
}

export async function findApprovedIds(app: WithDb, batchId: string): Promise<number[]> {
  const rows = app.db.read('ingestion_approved').where({ batch_id: batchId });
  return (await rows.pluck('entry_id')) as number[];
}

export async function storeHiddenTexts(
  app: WithDb,
  batchId: string,
  texts: readonly HiddenText[],
): Promise<void> {
  await app.db.write('ingestion_hidden_texts').where({ batch_id: batchId }).delete();
  const rows = texts.map((hidden, position) => ({ batch_id: batchId, position, ...hidden }));
  await insertRows(app, 'ingestion_hidden_texts', rows);
}

export async function findHiddenTexts(app: WithDb, batchId: string): Promise<HiddenText[]> {
  return app.db
    .read<HiddenText>('ingestion_hidden_texts')
    .where('batch_id', batchId)
    .orderBy('position')
    .select('page', 'reason', 'text');
}

async function insertRows(app: WithDb, table: string, rows: object[]): Promise<void> {
  for (let start = 0; start < rows.length; start += 100) {
    await app.db.write(table).insert(rows.slice(start, start + 100));
  }
}
