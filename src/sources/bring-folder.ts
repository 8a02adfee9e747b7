import { Readable } from 'node:stream';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { findDocuments } from '../ingestion/bulk/find-files.js';
import { ingestFiles } from '../ingestion/bulk/ingest-files.js';
import type { IngestedFile } from '../ingestion/bulk/ingested-file.js';
import type { IngestTarget } from '../ingestion/bulk/ingest-target.js';
import { fit } from '../ingestion/bulk/name-files.js';
import { notePresent, type Present } from '../ingestion/bulk/prune-gone.js';
import type { LeftOut } from './site/site-page.js';
import { applyPolicy } from './apply-policy.js';
import { removeGone } from './remove-gone.js';
import type { Brought, RunContext } from './run-context.js';
import { replaceGone } from './source-pages.repository.js';
import { emptyReport, mostListed, noCounts, type RunDocument, type RunReport } from './source.js';

/** Files that are read at the same time. */
const mostAtOnce = 16;

/**
 * Reads what is new and changed of a folder, as `assistant ingest <folder> --source <name>` does, and applies the policy
 * of the source. Errors: `not_found` for a folder that is not there.
 */
export async function bringFolder(
  context: RunContext,
  target: IngestTarget,
  giveUp: (trouble: AppError) => void,
): Promise<Brought> {
  const { app, actor, source, signal, onProgress } = context;
  const { place, options } = source;
  const found = await findDocuments([place], options, signal);
  const [folder] = found.folders;
  if (folder === undefined) {
    const sentence = `There is no folder ${place} on this machine. If another server has it, set sources.worker to false here.`;
    throw new AppError('not_found', sentence);
  }
  const { files } = found;
  const unreadable = [...found.unreadable, ...found.outside];
  const results: IngestedFile[] = [];
  const present: Present = { names: new Set(), batches: new Set(), isComplete: true };
  await ingestFiles(
    target,
    files,
    { approve: false, wait: true, dryRun: false, concurrency: mostAtOnce },
    {
      signal,
      giveUp,
      stdin: Readable.from([]),
      onProgress: () => undefined,
      onDone(result) {
        results.push(result);
        notePresent(present, result);
        onProgress?.(results.length, files.length - results.length);
      },
    },
  );
  signal.throwIfAborted();
  let published = 0;
  for (const { outcome, batchId } of results) {
    const isDue = outcome === 'ingested' || (outcome === 'unchanged' && context.isResumed);
    if (!isDue || batchId === null) continue;
    published += await applyPolicy(app, actor, batchId, source.policy);
  }
  const brought = describe(results, unreadable, published);
  const isWhole = found.unreadable.length === 0 && present.isComplete;
  const names = new Set([...present.names, ...found.namesLeftOut.map(fit)]);
  const folders = { folders: [place], names, present: present.batches };
  // A file that can't be read may be one that has moved.
  if (!isWhole) return brought;
  const gone = (await target.pruning?.findGone(folders)) ?? [];
  const goneFiles = gone.map(({ fileName, batchId }) => ({ address: fileName, batchId }));
  await inTransaction(app, (app) => replaceGone(app, source.id, goneFiles));
  // An empty folder may be a disk that is not mounted.
  return removeGone(context, brought, { stay: folder.isEmpty ? 0 : names.size });
}

function describe(
  results: readonly IngestedFile[],
  unreadable: readonly { path: string; message: string }[],
  published: number,
): Brought {
  const counts = { ...noCounts, published, failed: unreadable.length };
  const leftOut: LeftOut[] = unreadable.map(({ path, message }) => {
    return { address: path, reason: 'unreachable', detail: message };
  });
  const documents: RunDocument[] = [];
  for (const { name, outcome, standing, error, batchId } of results) {
    if (outcome === 'unchanged') counts.unchanged++;
    else if (outcome === 'skipped') leftOut.push({ address: name, reason: 'no_text' });
    else if (outcome === 'failed') {
      counts.failed++;
      leftOut.push({ address: name, reason: 'unreachable', detail: error?.message ?? '' });
    } else {
      const status = standing === 'changed' ? 'changed' : 'new';
      counts[status]++;
      if (batchId !== null) documents.push({ status, address: name, movedFrom: null, batchId });
    }
  }
  const report = {
    ...emptyReport,
    leftOut: leftOut.slice(0, mostListed),
    documents: documents.slice(0, mostListed),
    leftOutCounts: countReasons(leftOut),
  };
  return { counts, report };
}

function countReasons(leftOut: readonly LeftOut[]): RunReport['leftOutCounts'] {
  const counts: RunReport['leftOutCounts'] = {};
  for (const { reason } of leftOut) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
