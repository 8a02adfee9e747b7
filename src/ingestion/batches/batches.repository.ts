import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { documentOf } from '../../knowledge/entry.js';
import { toBatch, toLeased, type BatchRow } from './batch-row.js';
import type { Batch, Lease, LeasedBatch } from './batch.js';
import { insertUploads } from './uploads.repository.js';

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
  | 'kind'
  | 'sourceUrl'
  | 'visibility'
  | 'createdBy'
> & {
  bytes: Uint8Array;
  sourcePath: string | null;
  /** Of the process that works on it at once. */
  lease: Lease | undefined;
};

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
    kind: batch.kind,
    source_url: batch.sourceUrl,
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
  const { read, dialect } = app.db;
  const rows = await read<BatchRow>('ingestion_batches')
    .where(
      (one) =>
        void one.where({ organization_id }).where(dialect.isAmong(read, 'document', documents)),
    )
    .orWhere(
      (one) =>
        void one
          .where({ ...own, superseded_by: null })
          .where(dialect.isAmong(read, 'file_sha256', hashes)),
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

/** Gives all readings of a page's document another address. */
export async function moveReadings(
  app: Store,
  organizationId: number,
  document: string,
  address: string,
): Promise<void> {
  await app.db
    .write('ingestion_batches')
    .where({ organization_id: organizationId, document })
    .update({ source_url: address });
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

export async function deleteBatchById(app: Store, id: string): Promise<void> {
  await app.db.write('ingestion_batches').where({ id }).delete();
}

/** Ends a batch as failed that is waiting or that a worker holds, and takes away the lease. */
export async function cancelBatch(app: Store, id: string, why: string): Promise<void> {
  await app.db
    .write('ingestion_batches')
    .where({ id, status: 'processing' })
    .update({
      status: 'failed',
      error_code: 'conflict',
      error_message: why,
      lease_token: null,
      lease_expires_at: null,
      updated_at: timestamp(app.clock),
    });
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
