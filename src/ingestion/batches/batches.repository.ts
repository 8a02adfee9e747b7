import { selectPage, type Page, type Paged, countUpTo } from '../../platform/db/select-page.js';
import type { Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import type { ErrorCode } from '../../platform/errors.js';
import { documentOf } from '../../knowledge/entry.js';
import type { Batch, BatchStatus, Lease, LeasedBatch } from './batch.js';

export interface BatchRow {
  id: string;
  organization_id: number;
  app_id: number;
  domain: string | null;
  source: string | null;
  folder: string | null;
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
  | 'source'
  | 'folder'
  | 'fileName'
  | 'fileSha256'
  | 'visibility'
  | 'createdBy'
> & {
  bytes: Uint8Array;
  sourcePath: string | null;
  /** Of the process that works on it at once. */
  lease: Lease | undefined;
};

type Store = Pick<App, 'db' | 'clock'>;

/** Bytes of an upload per row: so few that storing a row never blocks the event loop. */
const pieceSize = 1 << 20;

/** Rows per insert: well below the parameters that a statement may bind. */
const rowsPerInsert = 30;

/** Stores batches with their files. With a lease, the first attempt has begun. */
export async function insertBatches(app: Store, batches: NewBatch[]): Promise<LeasedBatch[]> {
  const now = timestamp(app.clock);
  const stored: LeasedBatch[] = [];
  for (let start = 0; start < batches.length; start += rowsPerInsert) {
    const rows = batches.slice(start, start + rowsPerInsert).map((batch) => toRow(batch, now));
    const inserted = (await app.db
      .write('ingestion_batches')
      .insert(rows)
      .returning('*')) as BatchRow[];
    stored.push(...inserted.map(toLeased));
  }
  await insertUploads(app, batches);
  return stored;
}

function toRow(batch: NewBatch, now: string): Partial<BatchRow> {
  return {
    id: batch.id,
    organization_id: batch.organizationId,
    app_id: batch.appId,
    domain: batch.domain,
    source: batch.source,
    folder: batch.folder,
    file_name: batch.fileName,
    document: documentOf(batch),
    file_sha256: batch.fileSha256,
    file_size: batch.bytes.byteLength,
    visibility: batch.visibility,
    source_path: batch.sourcePath,
    status: 'processing',
    lease_token: batch.lease?.token ?? null,
    lease_expires_at: batch.lease?.expiresAt ?? null,
    attempts: batch.lease === undefined ? 0 : 1,
    created_by: batch.createdBy,
    created_at: now,
    updated_at: now,
  };
}

/** Small files share a statement; a large one has one for each of its pieces. */
async function insertUploads(app: Store, batches: readonly NewBatch[]): Promise<void> {
  const rows = batches.flatMap(({ id: batch_id, bytes }) =>
    Array.from({ length: Math.ceil(bytes.byteLength / pieceSize) }, (_, piece) => ({
      batch_id,
      piece,
      bytes: Buffer.from(bytes.subarray(piece * pieceSize, (piece + 1) * pieceSize)),
    })),
  );
  for (let start = 0, end = 0; start < rows.length; start = end) {
    for (let size = 0; end < rows.length; end++) {
      size += rows[end]?.bytes.byteLength ?? 0;
      if (end > start && (size > pieceSize || end - start >= rowsPerInsert)) break;
    }
    await app.db.write('ingestion_uploads').insert(rows.slice(start, end));
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

/**
 * The batches of all organizations whose stored file is not whole: it is gone, or has less or more than it should.
 * Failed batches say so themselves, and replaced ones are not read again.
 */
export async function listWithoutFile(app: Pick<App, 'db'>): Promise<Batch[]> {
  const { read } = app.db;
  const pieces = read('ingestion_uploads').groupBy('batch_id').select('batch_id').as('u');
  const rows: BatchRow[] = await read('ingestion_batches as b')
    .leftJoin(
      pieces.select(
        read.raw('sum(length(bytes)) as size, count(*) as pieces, max(piece) + 1 as expected'),
      ),
      'u.batch_id',
      'b.id',
    )
    .whereNot('b.status', 'failed')
    .whereNull('b.superseded_by')
    .whereRaw('(coalesce(u.size, 0) <> b.file_size or u.pieces <> u.expected)')
    .orderBy('b.created_at')
    .select('b.*');
  return rows.map(toBatch);
}

/** Ends a batch whose file is gone: no attempt to read it can succeed. */
export async function failWithoutFile(app: Store, id: string): Promise<void> {
  await app.db
    .write('ingestion_batches')
    .where({ id })
    .update({
      status: 'failed',
      error_code: 'damaged',
      error_message: 'Parts of the stored file are gone. Upload the file again.',
      lease_token: null,
      lease_expires_at: null,
      not_before: null,
      updated_at: timestamp(app.clock),
    });
}

/** The bytes from `start` to `end`, inclusive, piece by piece: never more than one piece in memory. */
export async function* readUploadRange(
  app: Store,
  batch: Pick<Batch, 'id'>,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer, void, undefined> {
  for (let at = start; at <= end;) {
    const piece = Math.floor(at / pieceSize);
    const row: { bytes: Buffer } | undefined = await app.db
      .read('ingestion_uploads')
      .where({ batch_id: batch.id, piece })
      .first('bytes');
    // The batch was deleted while it was read.
    if (row === undefined) throw new Error(`the upload of batch ${batch.id} lacks piece ${piece}`);
    const first = piece * pieceSize;
    yield row.bytes.subarray(at - first, end + 1 - first);
    at = first + pieceSize;
  }
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

/** The organization's batches of these ids, in the order of the ids. */
export async function findBatchesById(
  app: Store,
  organizationId: number,
  ids: readonly string[],
): Promise<Batch[]> {
  const rows = await app.db
    .read<BatchRow>('ingestion_batches')
    .where({ organization_id: organizationId })
    .whereIn('id', ids)
    .select('*');
  return rows.map(toBatch).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
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

/** What a new upload of a file may be a version or a repetition of. Each list has the newest batch first. */
export interface RelatedBatches {
  /** The readings of its document. */
  readings: Batch[];
  /** With a stated source: the readings of the document of that name without a source. */
  unsourced: Batch[];
  /** Batches of the same bytes for the same app and domain that no later one replaced, of any source. */
  same: Batch[];
}

/** An upload, as far as it tells what it is related to. */
type Placed = Pick<
  Batch,
  'organizationId' | 'appId' | 'domain' | 'source' | 'fileName' | 'fileSha256'
>;

/** Finds all that is related to uploads for one app and domain, in one query, in the order of the uploads. */
export async function findRelated<P extends readonly [Placed, ...Placed[]]>(
  app: Store,
  uploads: P,
): Promise<{ [I in keyof P]: RelatedBatches }> {
  const [first] = uploads;
  const named = uploads.map((upload) => ({
    document: documentOf(upload),
    bare: documentOf({ ...upload, source: null }),
  }));
  const documents = named.flatMap(({ document, bare }) => [document, bare]);
  const hashes = uploads.map(({ fileSha256 }) => fileSha256);
  const { organizationId: organization_id, appId: app_id, domain } = first;
  const own = { organization_id, app_id, domain };
  const rows = await app.db
    .read<BatchRow>('ingestion_batches')
    .where(
      (one) => void one.where({ organization_id }).whereRaw(isIn('document'), [listOf(documents)]),
    )
    .orWhere(
      (one) =>
        void one
          .where({ ...own, superseded_by: null })
          .whereRaw(isIn('file_sha256'), [listOf(hashes)]),
    )
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .select('*');
  const found = rows.map(toBatch);
  const related = uploads.map(({ fileSha256 }, index): RelatedBatches => {
    const { document, bare } = named[index] ?? { document: '', bare: '' };
    return {
      readings: found.filter((batch) => batch.document === document),
      unsourced: found.filter((batch) => batch.document === bare && bare !== document),
      same: found.filter(
        (batch) =>
          batch.fileSha256 === fileSha256 &&
          batch.supersededBy === null &&
          batch.appId === app_id &&
          batch.domain === domain,
      ),
    };
  });
  return related as { [I in keyof P]: RelatedBatches };
}

/** Bound as one list, however long it is: the statement stays prepared. */
function isIn(column: string): string {
  return `${column} in (select value from json_each(?))`;
}

function listOf(values: readonly string[]): string {
  return JSON.stringify([...new Set(values)]);
}

/** Gives all batches of a document another identity. */
export async function renameReadings(
  app: Store,
  organizationId: number,
  from: string,
  to: { document: string; source: string },
): Promise<void> {
  await app.db
    .write('ingestion_batches')
    .where({ organization_id: organizationId, document: from })
    .update(to);
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
  page: Page & { status?: BatchStatus | undefined; oldestFirst?: boolean },
): Promise<Paged<Batch>> {
  const query = app.db.read('ingestion_batches').where({ organization_id: organizationId });
  if (page.status !== undefined) query.where({ status: page.status });
  const direction = page.oldestFirst === true ? ('asc' as const) : ('desc' as const);
  const order = [{ column: 'created_at', order: direction }, { column: 'id' }];
  return selectPage<BatchRow, Batch>(query, order, page, toBatch);
}

/** Conditions of a list. Undefined ones do not apply. */
export interface BatchFilter {
  status?: BatchStatus | undefined;
  appId?: number | undefined;
  /** A part of the file name. */
  name?: string | undefined;
}

/** The place of a batch in the list of batches, newest first. */
export interface BatchPlace {
  createdAt: string;
  id: string;
}

/** The organization's next matching batches after a place, newest first: at most `limit`. */
export async function findBatchesAfter(
  app: Store,
  organizationId: number,
  filter: BatchFilter,
  { after, limit }: { after: BatchPlace | undefined; limit: number },
): Promise<Batch[]> {
  const query = matching(app, organizationId, filter);
  if (after !== undefined) {
    void query.whereRaw('(created_at, id) < (?, ?)', [after.createdAt, after.id]);
  }
  const order = [
    { column: 'created_at', order: 'desc' },
    { column: 'id', order: 'desc' },
  ];
  const rows = (await query.orderBy(order).limit(limit).select('*')) as BatchRow[];
  return rows.map(toBatch);
}

/** The number of matching batches; `most` when there are at least that many. */
export async function countBatches(
  app: Store,
  organizationId: number,
  filter: BatchFilter,
  most: number,
): Promise<number> {
  return countUpTo(app, matching(app, organizationId, filter), most);
}

function matching(app: Store, organizationId: number, { status, appId, name }: BatchFilter) {
  const query = app.db.read('ingestion_batches').where({ organization_id: organizationId });
  if (status !== undefined) void query.where({ status });
  if (appId !== undefined) void query.where({ app_id: appId });
  if (name !== undefined) {
    const part = `%${name.replaceAll(/[\\%_]/g, '\\$&')}%`;
    void query.whereRaw("file_name like ? escape '\\'", [part]);
  }
  return query;
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

export function toLeased(row: BatchRow): LeasedBatch {
  const { lease_token: leaseToken, chunks_sha256: chunksSha256, created_by: createdBy } = row;
  return { ...toBatch(row), leaseToken: leaseToken ?? '', chunksSha256, createdBy };
}

export function toBatch(row: BatchRow): Batch {
  const page = row.error_page === null ? {} : { page: row.error_page };
  return {
    id: row.id,
    organizationId: row.organization_id,
    appId: row.app_id,
    domain: row.domain,
    source: row.source,
    folder: row.folder,
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
    createdBy: row.created_by,
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

/** The batches of the whole installation that a worker holds now. */
export async function countHeldBatches(app: Pick<App, 'db' | 'clock'>): Promise<number> {
  const held = app.db
    .read<BatchRow>('ingestion_batches')
    .where({ status: 'processing' })
    .where('lease_expires_at', '>', timestamp(app.clock));
  const row = (await held.count({ count: '*' }).first()) as { count: number };
  return row.count;
}
