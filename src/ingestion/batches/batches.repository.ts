import { selectPage, type Page, type Paged } from '../../platform/db/select-page.js';
import type { Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import type { ErrorCode } from '../../platform/errors.js';
import { documentOf } from '../../knowledge/entry.js';
import type { Batch, BatchStatus } from './batch.js';

export interface BatchRow {
  id: string;
  organization_id: number;
  app_id: number;
  domain: string | null;
  file_name: string;
  document: string;
  file_sha256: string;
  file_size: number;
  visibility: Visibility | null;
  status: BatchStatus;
  total_pages: number;
  processed_pages: number;
  total_chunks: number;
  processed_chunks: number;
  dropped_entries: number;
  fallback_chunks: number;
  diff_unchanged: number;
  diff_changed: number;
  diff_new: number;
  diff_gone: number;
  hidden_text_total: number;
  pages_without_text: string;
  chunks_sha256: string | null;
  error_code: ErrorCode | null;
  error_message: string | null;
  error_page: number | null;
  superseded_by: string | null;
  source_path: string | null;
  visibility_narrowed: number;
  visibility_kept: number;
  attempts: number;
  lease_token: string | null;
  lease_expires_at: string | null;
  not_before: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
}

export type NewBatch = Pick<
  Batch,
  | 'id'
  | 'organizationId'
  | 'appId'
  | 'domain'
  | 'fileName'
  | 'fileSha256'
  | 'fileSize'
  | 'visibility'
> & { createdBy: string; sourcePath: string | null };

type Store = Pick<App, 'db' | 'clock'>;

/** Bytes of an upload per row: so few that storing a row never blocks the event loop. */
const pieceSize = 1 << 20;

export async function insertBatch(app: Store, batch: NewBatch, bytes: Uint8Array): Promise<void> {
  const now = timestamp(app.clock);
  await app.db.write('ingestion_batches').insert({
    id: batch.id,
    organization_id: batch.organizationId,
    app_id: batch.appId,
    domain: batch.domain,
    file_name: batch.fileName,
    document: documentOf(batch),
    file_sha256: batch.fileSha256,
    file_size: batch.fileSize,
    visibility: batch.visibility,
    source_path: batch.sourcePath,
    status: 'processing',
    created_by: batch.createdBy,
    created_at: now,
    updated_at: now,
  });
  for (let piece = 0; piece * pieceSize < bytes.byteLength; piece++) {
    const part = bytes.subarray(piece * pieceSize, (piece + 1) * pieceSize);
    await app.db
      .write('ingestion_uploads')
      .insert({ batch_id: batch.id, piece, bytes: Buffer.from(part) });
  }
}

/** The complete uploaded bytes, in memory that threads can share. */
export async function readUpload(
  app: Store,
  batch: Pick<Batch, 'id' | 'fileSize'>,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(new SharedArrayBuffer(batch.fileSize));
  let offset = 0;
  for (let piece = 0; offset < batch.fileSize; piece++) {
    const row: { bytes: Buffer } | undefined = await app.db
      .read('ingestion_uploads')
      .where({ batch_id: batch.id, piece })
      .first('bytes');
    if (row === undefined) throw new Error(`the upload of batch ${batch.id} lacks piece ${piece}`);
    bytes.set(row.bytes, offset);
    offset += row.bytes.byteLength;
  }
  return bytes;
}

export async function findBatch(
  app: Store,
  organizationId: number,
  id: string,
): Promise<Batch | undefined> {
  const row = await app.db
    .read<BatchRow>('ingestion_batches')
    .where({ organization_id: organizationId, id })
    .first();
  return row === undefined ? undefined : toBatch(row);
}

/** Batches that match a file name, or an id or its beginning: at most `limit`, newest first. */
export async function findBatchesCalled(
  app: Store,
  organizationId: number,
  name: string,
  limit: number,
): Promise<Batch[]> {
  const rows = await app.db
    .read<BatchRow>('ingestion_batches')
    .where({ organization_id: organizationId })
    .andWhere((called) => {
      void called.where({ file_name: name });
      const id = /^[\da-f-]+$/i.test(name) ? name.toLowerCase() : undefined;
      if (id !== undefined) void called.orWhereBetween('id', [id, `${id}~`]);
    })
    .orderBy('created_at', 'desc')
    .limit(limit);
  return rows.map(toBatch);
}

/** The batches of all versions of a document, newest first. */
export async function findReadings(
  app: Store,
  organizationId: number,
  document: string,
): Promise<Batch[]> {
  const rows = await app.db
    .read<BatchRow>('ingestion_batches')
    .where({ organization_id: organizationId, document })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .select('*');
  return rows.map(toBatch);
}

/** The batches of the same bytes for the same app and domain that no later one replaced, newest first. */
export async function findSameUploads(
  app: Store,
  same: { organizationId: number; appId: number; domain: string | null; fileSha256: string },
): Promise<Batch[]> {
  const { organizationId: organization_id, appId: app_id, domain, fileSha256: file_sha256 } = same;
  const rows = await app.db
    .read<BatchRow>('ingestion_batches')
    .where({ organization_id, app_id, domain, file_sha256, superseded_by: null })
    .orderBy('created_at', 'desc')
    .select('*');
  return rows.map(toBatch);
}

/** Marks all other readings of the batch's document as replaced by it, and the batch itself as current. */
export async function supersedeOthers(
  app: Store,
  { id, organizationId, document }: Pick<Batch, 'id' | 'organizationId' | 'document'>,
): Promise<void> {
  const readings = () =>
    app.db.write('ingestion_batches').where({ organization_id: organizationId, document });
  await readings().whereNot({ id }).update({ superseded_by: id });
  await readings().where({ id }).update({ superseded_by: null });
}

/** A page of the organization's batches, newest first. */
export async function listBatchesOf(
  app: Store,
  organizationId: number,
  page: Page & { status?: BatchStatus | undefined },
): Promise<Paged<Batch>> {
  const query = app.db.read('ingestion_batches').where({ organization_id: organizationId });
  if (page.status !== undefined) query.where({ status: page.status });
  const order = [{ column: 'created_at', order: 'desc' as const }, { column: 'id' }];
  return selectPage<BatchRow, Batch>(query, order, page, toBatch);
}

export async function countBatchesOfApp(app: Store, appId: number): Promise<number> {
  const query = app.db.read('ingestion_batches').where({ app_id: appId });
  const row = (await query.count({ count: '*' }).first()) as { count: number };
  return row.count;
}

export async function deleteBatchById(app: Store, id: string): Promise<void> {
  await app.db.write('ingestion_batches').where({ id }).delete();
}

/** Resets a failed batch to its start. */
export async function resetBatch(app: Store, id: string): Promise<void> {
  await app.db
    .write('ingestion_batches')
    .where({ id })
    .update({
      status: 'processing',
      attempts: 0,
      processed_pages: 0,
      total_chunks: 0,
      processed_chunks: 0,
      dropped_entries: 0,
      fallback_chunks: 0,
      chunks_sha256: null,
      superseded_by: null,
      error_code: null,
      error_message: null,
      error_page: null,
      lease_token: null,
      lease_expires_at: null,
      not_before: null,
      updated_at: timestamp(app.clock),
    });
}

export function toBatch(row: BatchRow): Batch {
  const page = row.error_page === null ? {} : { page: row.error_page };
  return {
    id: row.id,
    organizationId: row.organization_id,
    appId: row.app_id,
    domain: row.domain,
    fileName: row.file_name,
    document: row.document,
    fileSha256: row.file_sha256,
    fileSize: row.file_size,
    visibility: row.visibility,
    status: row.status,
    totalPages: row.total_pages,
    processedPages: row.processed_pages,
    totalChunks: row.total_chunks,
    processedChunks: row.processed_chunks,
    droppedEntries: row.dropped_entries,
    fallbackChunks: row.fallback_chunks,
    diff: {
      unchanged: row.diff_unchanged,
      changed: row.diff_changed,
      new: row.diff_new,
      gone: row.diff_gone,
    },
    hiddenTextTotal: row.hidden_text_total,
    pagesWithoutText: JSON.parse(row.pages_without_text) as number[],
    error:
      row.error_code === null
        ? null
        : { code: row.error_code, message: row.error_message ?? '', ...page },
    supersededBy: row.superseded_by,
    visibilityNarrowed: row.visibility_narrowed,
    visibilityKept: row.visibility_kept,
    attempts: row.attempts,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The number of batches by status in the whole installation, for the operator's graphs. */
export async function countBatchesByStatus(
  app: Pick<App, 'db'>,
): Promise<{ status: string; count: number }[]> {
  const rows = await app.db
    .read<BatchRow>('ingestion_batches')
    .groupBy('status')
    .select('status')
    .count<{ status: string; count: number | string }[]>({ count: '*' });
  return rows.map(({ status, count }) => ({ status, count: Number(count) }));
}
