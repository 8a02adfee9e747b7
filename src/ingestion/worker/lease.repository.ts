import type { ReaderName } from '../../documents/threads/protocol.js';
import type { RecognizedPage } from '../../documents/threads/recognize-pages.js';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { takeInTurn, type SharedQueue } from '../../platform/workers/fair-turns.repository.js';
import { type BatchDiff, type BatchError, maximumAttempts } from '../batches/batch.js';
import { type BatchRow, toLeased } from '../batches/batch-row.js';
import type { LeasedBatch } from '../batches/batch.js';
import { isOfEndedProcess, newLease } from '../batches/lease.js';

/** The fields of a held batch that a worker may change. */
export interface BatchProgress {
  totalPages?: number;
  processedPages?: number;
  totalChunks?: number;
  processedChunks?: number;
  droppedEntries?: number;
  fallbackChunks?: number;
  hiddenTextTotal?: number;
  diff?: BatchDiff;
  visibilityNarrowed?: number;
  visibilityKept?: number;
  pagesWithoutText?: number[];
  readBy?: ReaderName;
  recognizedPages?: RecognizedPage[];
  chunksSha256?: string;
}

type Store = Pick<App, 'db' | 'clock' | 'config'>;

const batches: SharedQueue = { table: 'ingestion_batches', status: 'processing' };

/**
 * Takes a due batch: new, released, or held under an expired lease. Organizations share the workers fairly, and within
 * an organization the oldest batch comes first. Each claim is one attempt and creates a new token, so that a slow
 * earlier worker can't write any more.
 *
 * @param maxBytes the size of the largest file to take
 */
export async function claimBatch(
  app: Store,
  maxBytes = Number.MAX_SAFE_INTEGER,
): Promise<LeasedBatch | undefined> {
  const now = timestamp(app.clock);
  // Look without a lock first: an idle worker must not write every second.
  const candidate = await due(app, now).where('file_size', '<=', maxBytes).first('id');
  if (candidate === undefined) return undefined;
  return inTransaction(app, async (app) => {
    const dueHere = () => due(app, now).where('file_size', '<=', maxBytes);
    const how = { now, order: ['created_at'] };
    const row = (await takeInTurn(app, batches, dueHere, how)) as BatchRow | undefined;
    if (row === undefined) return undefined;
    const lease = newLease(app);
    const claimed = {
      lease_token: lease.token,
      lease_expires_at: lease.expiresAt,
      attempts: row.attempts + 1,
      updated_at: now,
    };
    await app.db.write('ingestion_batches').where({ id: row.id }).update(claimed);
    return toLeased({ ...row, ...claimed });
  });
}

/** Ends leases whose process on this machine has ended, so that nobody waits until they expire. */
export async function endLeasesOfTheDead(app: Store): Promise<void> {
  const held = await app.db
    .read<BatchRow>('ingestion_batches')
    .where({ status: 'processing' })
    .whereNotNull('lease_token')
    .select('id', 'lease_token');
  for (const { id, lease_token } of held) {
    if (!isOfEndedProcess(lease_token)) continue;
    const ended = { lease_expires_at: timestamp(app.clock, -1) };
    await app.db.write('ingestion_batches').where({ id, lease_token }).update(ended);
  }
}

/** Batches whose worker died in every allowed attempt. They must be given up. */
export async function findExhausted(app: Store): Promise<LeasedBatch[]> {
  const rows = await app.db
    .read<BatchRow>('ingestion_batches')
    .where({ status: 'processing' })
    .where('attempts', '>=', maximumAttempts)
    .where('lease_expires_at', '<', timestamp(app.clock))
    .select('*');
  return rows.map(toLeased);
}

/** Extends the lease. Returns false when this worker has lost it. */
export async function renewLease(app: Store, batch: LeasedBatch): Promise<boolean> {
  return updateHeld(app, batch, {
    lease_expires_at: timestamp(app.clock, app.config.ingestion.lease_ms),
  });
}

/** Stores progress. Returns false, without writing, when the batch was deleted or taken over. */
export async function saveProgress(
  app: Store,
  batch: LeasedBatch,
  progress: BatchProgress,
): Promise<boolean> {
  return updateHeld(app, batch, columnsOf(progress));
}

/** Ends the batch as completed or failed, with its last progress. Returns false when this worker has lost it. */
export async function endBatch(
  app: Store,
  batch: LeasedBatch,
  error: BatchError | null,
  progress: BatchProgress = {},
): Promise<boolean> {
  return updateHeld(app, batch, ending(error, progress));
}

/** A held batch with the progress that ends it. */
export interface EndedBatch {
  batch: LeasedBatch;
  progress: BatchProgress;
}

/**
 * Completes those of the batches whose documents have no other reading, in one statement. Returns the ids of these; the
 * others are unchanged, and so are those that this worker has lost.
 */
export async function endFirstBatches(
  app: Store,
  ended: readonly EndedBatch[],
): Promise<Set<string>> {
  const { dialect, write } = app.db;
  const same = { ...ending(null, {}), updated_at: timestamp(app.clock) };
  const columns = ended.map(({ progress }) => columnsOf(progress));
  const names = Object.keys(columns[0] ?? {});
  const types = Object.fromEntries(
    names.map(
      (name) => [name, typeof columns[0]?.[name] === 'number' ? 'integer' : 'text'] as const,
    ),
  );
  const rows = ended.map(({ batch }, index) => {
    return [batch.id, batch.leaseToken, ...names.map((name) => columns[index]?.[name] ?? null)];
  });
  // The names are those of columns below, and no input.
  const changes = [
    ...Object.keys(same).map((name) => `${name} = ?`),
    ...names.map((name) => `${name} = ended.${name}`),
  ];
  const found = await write.raw<{ id: string }[]>(
    `update ingestion_batches set ${changes.join(', ')}
     from ?
     where ingestion_batches.id = ended.held_id
       and ingestion_batches.lease_token = ended.held_lease
       and ingestion_batches.status = 'processing'
       and not exists (
         select 1 from ingestion_batches as other
         where other.organization_id = ingestion_batches.organization_id
           and other.document = ingestion_batches.document and other.id <> ingestion_batches.id)
     returning id`,
    [
      ...Object.values(same),
      dialect.tableOf(write, 'ended', { held_id: 'text', held_lease: 'text', ...types }, rows),
    ],
  );
  return new Set(found.map(({ id }) => id));
}

function ending(
  error: BatchError | null,
  progress: BatchProgress,
): Record<string, string | number | null> {
  return {
    ...columnsOf(progress),
    status: error === null ? 'completed' : 'failed',
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
    error_page: error?.page ?? null,
    ...noLease,
  };
}

/** Releases the batch for another attempt after `delayMs`. `counts`: this attempt remains counted. */
export async function releaseBatch(
  app: Store,
  batch: LeasedBatch,
  release: { delayMs: number; counts: boolean },
): Promise<boolean> {
  return updateHeld(app, batch, {
    ...noLease,
    not_before: timestamp(app.clock, release.delayMs),
    attempts: release.counts ? batch.attempts : batch.attempts - 1,
  });
}

function columnsOf(progress: BatchProgress): Record<string, string | number> {
  const row = {
    total_pages: progress.totalPages,
    processed_pages: progress.processedPages,
    total_chunks: progress.totalChunks,
    processed_chunks: progress.processedChunks,
    dropped_entries: progress.droppedEntries,
    fallback_chunks: progress.fallbackChunks,
    hidden_text_total: progress.hiddenTextTotal,
    diff_unchanged: progress.diff?.unchanged,
    diff_changed: progress.diff?.changed,
    diff_new: progress.diff?.new,
    diff_gone: progress.diff?.gone,
    visibility_narrowed: progress.visibilityNarrowed,
    visibility_kept: progress.visibilityKept,
    pages_without_text:
      progress.pagesWithoutText === undefined
        ? undefined
        : JSON.stringify(progress.pagesWithoutText),
    read_by: progress.readBy,
    recognized_pages:
      progress.recognizedPages === undefined ? undefined : JSON.stringify(progress.recognizedPages),
    chunks_sha256: progress.chunksSha256,
  };
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const noLease = { lease_token: null, lease_expires_at: null };

function due(app: Store, now: string) {
  return app.db
    .read<BatchRow>('ingestion_batches')
    .where({ status: 'processing' })
    .where('attempts', '<', maximumAttempts)
    .where(
      (query) => void query.whereNull('lease_expires_at').orWhere('lease_expires_at', '<', now),
    )
    .where((query) => void query.whereNull('not_before').orWhere('not_before', '<=', now))
    .whereNotExists(earlierVersion(app));
}

/** Versions of one document are read one after the other, because each is compared with the previous result. */
function earlierVersion(app: Store) {
  const { read } = app.db;
  return read('ingestion_batches as earlier')
    .where('earlier.status', 'processing')
    .where('earlier.organization_id', read.ref('ingestion_batches.organization_id'))
    .where('earlier.document', read.ref('ingestion_batches.document'))
    .where(
      (query) =>
        void query
          .where('earlier.created_at', '<', read.ref('ingestion_batches.created_at'))
          .orWhere(
            (query) =>
              void query
                .where('earlier.created_at', read.ref('ingestion_batches.created_at'))
                .where('earlier.id', '<', read.ref('ingestion_batches.id')),
          ),
    );
}

async function updateHeld(
  app: Store,
  batch: LeasedBatch,
  change: Record<string, unknown>,
): Promise<boolean> {
  const changed = await app.db
    .write('ingestion_batches')
    .where({ id: batch.id, status: 'processing', lease_token: batch.leaseToken })
    .update({ ...change, updated_at: timestamp(app.clock) });
  return changed === 1;
}

/** Thrown when the batch was deleted or taken over: this worker must not write any more. */
export class LeaseLost extends Error {}

/** Awaits a write by the lease's holder. Throws LeaseLost when it was refused. */
export async function held(written: Promise<boolean>): Promise<void> {
  if (!(await written)) throw new LeaseLost();
}
