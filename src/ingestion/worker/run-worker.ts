import { setMaxListeners } from 'node:events';
import { removeDraftsOfBatch } from '../../knowledge/store-entries.js';
import {
  createDocumentExtractor,
  type DocumentExtractor,
} from '../../documents/extract-document.js';
import { smallFile } from '../../documents/threads/thread-pool.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { isStorageTrouble } from '../../platform/db/sqlite-trouble.js';
import { AppError, codeOf, type ErrorCode, messageOf } from '../../platform/errors.js';
import { pause, retry, retryDelay } from '../../platform/retry.js';
import { traced } from '../../platform/tracing.js';
import {
  type BackgroundWorker,
  repeatUntilStopped,
} from '../../platform/workers/repeat-until-stopped.js';
import { type BatchError, maximumAttempts, type LeasedBatch } from '../batches/batch.js';
import {
  claimBatch,
  endLeasesOfTheDead,
  endBatch,
  findExhausted,
  LeaseLost,
  releaseBatch,
  renewLease,
} from './lease.repository.js';
import { processBatch, type Means } from './process-batch.job.js';
import { mostSections, storeNewDocuments, type NewDocument } from './store-new-documents.js';
import { inGroups } from '../../platform/workers/in-groups.js';

/** Errors of the file itself, which a second attempt can't change. */
const faultsOfTheFile = new Set<ErrorCode>([
  'not_a_pdf',
  'unsupported_kind',
  'encrypted',
  'damaged',
  'no_extractable_text',
  'too_many_pages',
  'timeout',
  'out_of_memory',
]);
/** The pauses before the second and third attempt. */
const delays = { firstMs: 2000 };

/** How many batches a lane processes before it looks again for those of dead workers. */
const batchesPerLook = 20;

/** A finished document waits for others, to be stored with them, while others are read: so often, for so long. */
const gatherings = 6;
const gatherMs = 15;

export interface WorkerHooks {
  /** Called when nothing can be stored any more, instead of logging. */
  onStorageTrouble?: (trouble: AppError) => void;
}

export interface IngestionWorker extends BackgroundWorker {
  /**
   * Makes the first attempt with a batch that was stored with a lease of this process, beside those that the worker
   * takes itself. Resolves when the attempt has ended, whatever its result.
   */
  process(batch: LeasedBatch, means: Pick<Means, 'bytes' | 'isFirst'>): Promise<void>;
}

/**
 * Processes due batches until stopped: one of any size per thread at a time, and beside them as many small ones, so that
 * none waits for large files. Running batches then release their leases. The
 * worker owns its threads and ends them.
 */
export function openWorker(app: App, { onStorageTrouble }: WorkerHooks = {}): IngestionWorker {
  const stopping = new AbortController();
  // Each batch under way listens to it. Node would report more than ten listeners as a leak.
  setMaxListeners(0, stopping.signal);
  const reason = new AppError('shutting_down', 'The worker is shutting down.');
  const direct = new Set<Promise<void>>();
  const extractor = openExtractor(app);
  const { threads, poll_ms: pollMs } = app.config.ingestion;
  const worker = repeatUntilStopped(app, {
    lanes: 2 * threads,
    pollMs,
    onStorageTrouble,
    // Of the database most likely, and never of one batch: those end with their reason.
    complaint: 'files are not ingested',
    step: (signal, lane) =>
      runDueBatches(app, extractor, signal, lane < threads ? undefined : smallFile),
    reason,
  });
  const storeNew = inGroups((documents: NewDocument[]) => storeNewDocuments(app, documents), {
    weigh: ({ reading }) => reading.sections.length,
    limit: mostSections,
    async gather(waiting) {
      for (let left = gatherings; left > 0 && waiting() < direct.size; left--) {
        await pause(gatherMs);
      }
    },
  });
  const attempt = async (batch: LeasedBatch, means: Means) => {
    try {
      await runBatch(app, extractor, batch, stopping.signal, { ...means, storeNew });
    } catch (error) {
      const trouble = app.db.dialect.troubleOf(error) ?? error;
      if (isStorageTrouble(trouble)) onStorageTrouble?.(trouble);
      // Its lease ends, and then it is due again.
      else app.log.error({ err: error, batch_id: batch.id }, 'an attempt was broken off');
    }
  };
  return {
    async process(batch, means) {
      const attempted = attempt(batch, means);
      direct.add(attempted);
      await attempted;
      direct.delete(attempted);
    },
    async stop() {
      stopping.abort(reason);
      await Promise.all([worker.stop(), ...direct]);
      await extractor.close();
    },
  };
}

/** Processes the batches that are due now, with threads of its own. Returns the number of attempts. */
export async function workOnce(app: App, signal: AbortSignal): Promise<number> {
  const extractor = openExtractor(app);
  try {
    return await runDueBatches(app, extractor, signal);
  } finally {
    await extractor.close();
  }
}

export function openExtractor(app: App): DocumentExtractor {
  const { threads, thread_memory_mb } = app.config.ingestion;
  return createDocumentExtractor({ workers: threads, workerMemoryMb: thread_memory_mb });
}

/**
 * Processes the batches that are due now, one after another. Returns the number of attempts.
 *
 * @param maxBytes the size of the largest file to take
 */
export async function runDueBatches(
  app: App,
  extractor: DocumentExtractor,
  signal: AbortSignal = new AbortController().signal,
  maxBytes?: number,
): Promise<number> {
  for (let attempts = 0; ; attempts++) {
    if (signal.aborted) return attempts;
    if (attempts % batchesPerLook === 0) await succeedTheDead(app);
    const batch = await claimBatch(app, maxBytes);
    if (batch === undefined) return attempts;
    await runBatch(app, extractor, batch, signal);
  }
}

/** Makes the batches of dead workers due again, and gives those up that killed every worker. */
async function succeedTheDead(app: App): Promise<void> {
  await endLeasesOfTheDead(app);
  for (const batch of await findExhausted(app)) {
    const message = `The worker stopped ${maximumAttempts} times while it processed this file. Retry the batch when the machine is well.`;
    await failBatch(app, batch, { code: 'internal', message });
  }
}

async function runBatch(
  app: App,
  extractor: DocumentExtractor,
  batch: LeasedBatch,
  stopping: AbortSignal,
  means: Means = {},
): Promise<void> {
  // Not AbortSignal.any: the signal that all batches share would keep a trace of each of them.
  const ending = new AbortController();
  const stop = () => ending.abort(stopping.reason);
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  const renewal = setInterval(() => {
    renewLease(app, batch).then(
      (isHeld) => isHeld || ending.abort(new LeaseLost()),
      (error: unknown) =>
        app.log.warn({ err: error, batch_id: batch.id }, 'the lease was not renewed'),
    );
  }, app.config.ingestion.lease_ms / 3);
  try {
    app.log.info({ batch_id: batch.id, attempt: batch.attempts }, 'ingestion started');
    const { signal } = ending;
    const facts = { 'assistant.batch.id': batch.id, 'assistant.batch.attempt': batch.attempts };
    await traced(app, 'ingestion', () => processBatch(app, extractor, batch, signal, means), {
      facts,
    });
    app.log.info({ batch_id: batch.id }, 'ingestion completed');
  } catch (error) {
    const trouble = app.db.dialect.troubleOf(error) ?? error;
    if (stopping.aborted) await releaseBatch(app, batch, { delayMs: 0, counts: false });
    else if (isStorageTrouble(trouble) || codeOf(trouble) === 'database_busy') {
      await holdBack(app, batch, stopping);
      throw trouble;
    } else if (!(error instanceof LeaseLost)) await settleFailure(app, batch, error);
  } finally {
    clearInterval(renewal);
    stopping.removeEventListener('abort', stop);
  }
}

/** Releases a batch that a trouble of the database interrupted, as soon as the database answers. Or the lease expires. */
async function holdBack(app: App, batch: LeasedBatch, signal: AbortSignal): Promise<void> {
  const until = performance.now() + app.config.ingestion.lease_ms;
  await retry(() => releaseBatch(app, batch, { delayMs: 0, counts: false }), {
    attempts: Infinity,
    firstMs: 100,
    longestMs: 1000,
    signal,
    retryAfterMs: () => (performance.now() < until ? 0 : undefined),
  }).catch(() => undefined);
}

async function settleFailure(app: App, batch: LeasedBatch, error: unknown): Promise<void> {
  const code = codeOf(error);
  const details = { batch_id: batch.id, code, attempt: batch.attempts };
  if (code === 'internal') app.log.error({ ...details, err: error }, 'ingestion failed');
  else app.log.info(details, 'ingestion failed');
  if (!faultsOfTheFile.has(code) && batch.attempts < maximumAttempts) {
    const delayMs = retryDelay(batch.attempts, delays);
    await releaseBatch(app, batch, { delayMs, counts: true });
    return;
  }
  const message =
    code === 'internal'
      ? `The file could not be processed (${maximumAttempts} attempts). The log of the worker has the reason.`
      : messageOf(error);
  const page = error instanceof AppError && error.page !== undefined ? { page: error.page } : {};
  await failBatch(app, batch, { code, message, ...page });
}

/** Ends a batch as failed and deletes its drafts, so that no half-finished result stays. */
async function failBatch(app: App, batch: LeasedBatch, error: BatchError): Promise<void> {
  await inTransaction(app, async (app) => {
    if (await endBatch(app, batch, error)) {
      await removeDraftsOfBatch(app, batch.organizationId, batch.id);
    }
  });
}
