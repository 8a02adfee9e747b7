import { randomUUID } from 'node:crypto';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import {
  nextInTurn,
  recordTurn,
  type SharedQueue,
} from '../../platform/workers/fair-turns.repository.js';
import { hasEnded, thisProcess } from '../../platform/process-name.js';
import { type Batch, type BatchDiff, type BatchError, maximumAttempts } from '../batches/batch.js';
import { type BatchRow, toBatch } from '../batches/batches.repository.js';

/** A batch that this worker holds until the lease ends. */
export interface LeasedBatch extends Batch {
  leaseToken: string;
  chunksSha256: string | null;
  createdBy: string;
}

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
  chunksSha256?: string;
}

type Store = Pick<App, 'db' | 'clock' | 'config'>;

const batches: SharedQueue = { table: 'ingestion_batches', status: 'processing' };

/**
 * Takes a due batch: new, released, or held under an expired lease. Organizations share the workers fairly, and within
 * an organization the oldest batch comes first. Each claim is one attempt and creates a new token, so that a slow
 * earlier worker can't write any more.
 */
export async function claimBatch(app: Store): Promise<LeasedBatch | undefined> {
  const now = timestamp(app.clock);
  // Look without a lock first: an idle worker must not write every second.
  const candidate = await due(app, now).first('id');
  if (candidate === undefined) return undefined;
  return inTransaction(app, async (app) => {
    const organizationId = await nextInTurn(app, batches, due(app, now), now);
    if (organizationId === undefined) return undefined;
    const mine = due(app, now).where({ organization_id: organizationId });
    const row = await mine.orderBy('created_at').first();
    if (row === undefined) return undefined;
    await recordTurn(app, batches, organizationId);
    const leaseToken = `${thisProcess}.${randomUUID()}`;
    const claimed = {
      lease_token: leaseToken,
      lease_expires_at: timestamp(app.clock, app.config.ingestion.lease_ms),
      attempts: row.attempts + 1,
      updated_at: now,
    };
    await app.db.write('ingestion_batches').where({ id: row.id }).update(claimed);
    const batch = toBatch({ ...row, ...claimed });
    return { ...batch, leaseToken, chunksSha256: row.chunks_sha256, createdBy: row.created_by };
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
    if (lease_token === null || !hasEnded(lease_token.split('.')[0] ?? '')) continue;
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
  return rows.map((row) => ({
    ...toBatch(row),
    leaseToken: row.lease_token ?? '',
    chunksSha256: row.chunks_sha256,
    createdBy: row.created_by,
  }));
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
    chunks_sha256: progress.chunksSha256,
  };
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  return updateHeld(app, batch, Object.fromEntries(given));
}

/** Ends the batch as completed or failed. Returns false when this worker has lost it. */
export async function endBatch(
  app: Store,
  batch: LeasedBatch,
  error: BatchError | null,
): Promise<boolean> {
  return updateHeld(app, batch, {
    status: error === null ? 'completed' : 'failed',
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
    error_page: error?.page ?? null,
    ...noLease,
  });
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
