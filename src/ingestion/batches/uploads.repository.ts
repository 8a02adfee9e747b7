import type { Store, WithDb } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { toBatch, type BatchRow } from './batch-row.js';
import type { Batch } from './batch.js';

// The uploaded bytes of batches, in pieces.

/** Bytes of an upload per row: so few that storing a row never blocks the event loop. */
const pieceSize = 1 << 20;

/** Rows per insert: well below the parameters that a statement may bind. */
const rowsPerInsert = 30;

/** Small files share a statement; a large one has one for each of its pieces. */
export async function insertUploads(
  app: Store,
  uploads: readonly { id: string; bytes: Uint8Array }[],
): Promise<void> {
  const rows = uploads.flatMap(({ id: batch_id, bytes }) =>
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
export async function listWithoutFile(app: WithDb): Promise<Batch[]> {
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
