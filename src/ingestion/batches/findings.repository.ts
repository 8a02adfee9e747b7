import type { App } from '../../platform/app.js';
import type { HiddenText } from '../../pdf/layout/page.js';

// What a reading found beside its entries. Batches are the organization's own by the time these are asked.

type Store = Pick<App, 'db'>;

/** Notes which entries the document says nothing of any more; what its other readings found is outdated. */
export async function storeGone(
  app: Store,
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

/** The entries that the document said nothing of when the batch read it, and that are still there. */
export async function findGoneIds(app: Store, batchId: string): Promise<number[]> {
  const rows = app.db.read('ingestion_gone').where({ batch_id: batchId }).orderBy('entry_id');
  return (await rows.pluck('entry_id')) as number[];
}

/** Notes numbers that batches have listed, whose entries are approved and listed there no more. */
export async function storeApproved(
  app: Store,
  approved: { batchId: string; entryId: number }[],
): Promise<void> {
  for (const { batchId, entryId } of approved) {
    await app.db
      .write('ingestion_approved')
      .insert({ batch_id: batchId, entry_id: entryId })
      .onConflict(['batch_id', 'entry_id'])
      .ignore();
  }
}

export async function findApprovedIds(app: Store, batchId: string): Promise<number[]> {
  const rows = app.db.read('ingestion_approved').where({ batch_id: batchId });
  return (await rows.pluck('entry_id')) as number[];
}

/** In place of what was stored of the batch before. */
export async function storeHiddenTexts(
  app: Store,
  batchId: string,
  texts: readonly HiddenText[],
): Promise<void> {
  await app.db.write('ingestion_hidden_texts').where({ batch_id: batchId }).delete();
  const rows = texts.map((hidden, position) => ({ batch_id: batchId, position, ...hidden }));
  await insertRows(app, 'ingestion_hidden_texts', rows);
}

export async function findHiddenTexts(app: Store, batchId: string): Promise<HiddenText[]> {
  return app.db
    .read<HiddenText>('ingestion_hidden_texts')
    .where('batch_id', batchId)
    .orderBy('position')
    .select('page', 'reason', 'text');
}

async function insertRows(app: Store, table: string, rows: object[]): Promise<void> {
  for (let start = 0; start < rows.length; start += 100) {
    await app.db.write(table).insert(rows.slice(start, start + 100));
  }
}
