import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Member, Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError, codeOf, messageOf, type ErrorCode } from '../platform/errors.js';
import { chooseApp } from '../tenancy/choose-app.js';
import { approveEntries, isTakenBack } from './approve-batch.js';
import { findNamesOfPaths } from './batches.repository.js';
import type { FoundFile } from './find-files.js';
import { nameFiles } from './name-files.js';
import { getBatch, retryBatch } from './review-batch.js';
import { fileTooLarge, startIngestion } from './start-ingestion.js';
import { watchBatch } from './watch-batch.js';
import { describeVisibility, type Batch, type BatchDiff } from './batch.js';

export interface IngestOptions {
  appId?: number | undefined;
  domain?: string | undefined;
  visibility?: Visibility | undefined;
  force: boolean;
  approve: boolean;
  /** Whether to wait until the files are processed, not only stored. */
  wait: boolean;
  /** Files that are under way at once. */
  concurrency: number;
}

/** What became of a file. `unchanged`: these very bytes were ingested before. */
export interface IngestedFile {
  file: string;
  outcome: 'ingested' | 'accepted' | 'unchanged' | 'failed' | 'interrupted';
  batchId: string | null;
  pages: number;
  entries: number;
  approved: number;
  /** Drafts that were not approved, since a person had taken their text back: they are approved by number. */
  takenBack: number;
  pagesWithoutText: number[];
  /** Pages that hold text which nobody sees, and which is in no entry. */
  pagesWithHiddenText: number[];
  diff: BatchDiff;
  /** What became of the visibility of the entries that stood already, for a person; empty where nothing did. */
  visibilityNotes: string[];
  error: { code: ErrorCode; message: string } | null;
}

export interface IngestHooks {
  onProgress(file: string, batch: Batch): void;
  onDone(result: IngestedFile): void;
  signal: AbortSignal;
}

/** Faults that may be gone at the next try: a failed batch of these is tried again. */
const passing = new Set<string>(['internal', 'timeout', 'out_of_memory', 'model_unavailable']);

/**
 * Ingests files one by one or some at once; a bad one never stops the rest. A worker must run somewhere, in
 * this process or another, for the waiting to end.
 */
export async function ingestFiles(
  app: App,
  actor: Member,
  files: FoundFile[],
  options: IngestOptions,
  hooks: IngestHooks,
): Promise<IngestedFile[]> {
  const results: IngestedFile[] = [];
  const target = await chooseApp(app, actor, { appId: options.appId, domain: options.domain });
  const paths = files.map(({ path }) => path);
  const known = await findNamesOfPaths(
    app,
    { organizationId: actor.organizationId, appId: target.app.id, domain: target.domain },
    paths,
  );
  const names = nameFiles(files, known);
  const queue = [...paths];
  const lane = async () => {
    for (
      let file = queue.shift();
      file !== undefined && !hooks.signal.aborted;
      file = queue.shift()
    ) {
      const result = await ingestFile(
        app,
        actor,
        file,
        names.get(file) ?? basename(file),
        options,
        hooks,
      ).catch((error: unknown): IngestedFile => failed(file, error));
      results.push(result);
      hooks.onDone(result);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, lane));
  return results;
}

async function ingestFile(
  app: App,
  actor: Member,
  file: string,
  fileName: string,
  options: IngestOptions,
  hooks: IngestHooks,
): Promise<IngestedFile> {
  const limit = app.config.ingestion.max_file_mb;
  if ((await stat(file)).size > limit * 1024 * 1024) throw fileTooLarge(limit);
  const { appId, domain, visibility, force } = options;
  const started = await startIngestion(app, actor, {
    fileName,
    bytes: await readFile(file),
    sourcePath: file,
    appId,
    domain,
    visibility,
    force,
  });
  let { batch } = started;
  if (started.duplicate && batch.error !== null && passing.has(batch.error.code)) {
    batch = await retryBatch(app, actor, batch.id);
  }
  if (options.wait) {
    for await (const state of await watchBatch(app, actor, batch.id, hooks.signal)) {
      batch = state;
      hooks.onProgress(file, state);
    }
  }
  const unchanged = started.duplicate && started.batch.status === 'completed';
  return summarize(app, actor, file, batch, unchanged, options);
}

async function summarize(
  app: App,
  actor: Member,
  file: string,
  batch: Batch,
  unchanged: boolean,
  options: IngestOptions,
): Promise<IngestedFile> {
  const base = {
    file,
    batchId: batch.id,
    pages: batch.totalPages,
    pagesWithoutText: batch.pagesWithoutText,
    pagesWithHiddenText: [] as number[],
    takenBack: 0,
    diff: batch.diff,
    visibilityNotes: unchanged ? [] : describeVisibility(batch),
  };
  if (batch.status === 'failed') {
    const error = batch.error ?? {
      code: 'internal' as const,
      message: 'It failed without a reason.',
    };
    return { ...base, outcome: 'failed', entries: 0, approved: 0, error };
  }
  const unfinished = options.wait ? 'interrupted' : 'accepted';
  const ended = unchanged ? 'unchanged' : 'ingested';
  const outcome = batch.status === 'processing' ? unfinished : ended;
  const approve = options.approve && batch.status === 'completed';
  const approved = approve
    ? await approveEntries(app, actor, { batchId: batch.id, entryIds: 'all' })
    : 0;
  const { entries, hiddenText, replaced } = await getBatch(app, actor, batch.id);
  const takenBack = approve ? entries.filter((entry) => isTakenBack(entry, replaced)).length : 0;
  const hidden = hiddenText.filter(({ reason }) => reason !== 'unchecked');
  const pagesWithHiddenText = [...new Set(hidden.map(({ page }) => page))];
  return {
    ...base,
    outcome,
    entries: entries.length,
    approved,
    pagesWithHiddenText,
    takenBack,
    error: null,
  };
}

function failed(file: string, error: unknown): IngestedFile {
  const message =
    (error as NodeJS.ErrnoException | null)?.code === 'EACCES'
      ? 'The file may not be read.'
      : messageOf(error);
  const code = error instanceof AppError ? codeOf(error) : 'internal';
  return {
    file,
    outcome: 'failed',
    batchId: null,
    pages: 0,
    entries: 0,
    approved: 0,
    pagesWithoutText: [],
    pagesWithHiddenText: [],
    takenBack: 0,
    diff: { unchanged: 0, changed: 0, new: 0, gone: 0 },
    visibilityNotes: [],
    error: { code, message },
  };
}
