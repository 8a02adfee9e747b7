import { basename } from 'node:path';
import { describeVisibility } from '../batches/batch.js';
import { hasNoText } from '../batches/without-text.js';
import { describeDoubt } from './describe-doubt.js';
import type { FoundFile } from './find-files.js';
import type { BatchState, IngestTarget, Sent } from './ingest-target.js';
import { blankFile, failedFile, type IngestedFile } from './ingested-file.js';
import { nameFiles } from './name-files.js';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { type Readable, addAbortSignal } from 'node:stream';
import { ServerGone } from '../../platform/cli/server-client.js';
import { isStorageTrouble } from '../../platform/db/sqlite-trouble.js';
import { AppError, codeOf } from '../../platform/errors.js';
import { createBounded } from '../../platform/workers/bounded.js';
import { recognizeKind } from '../../documents/recognize-kind.js';
import { fileTooLarge, sha256Of } from '../upload/start-ingestion.js';

export interface IngestOptions {
  approve: boolean;
  /** True to wait until the files are processed, not only stored. */
  wait: boolean;
  /** Reports what would be done, without doing it. */
  dryRun: boolean;
  /** Files that are processed at the same time. */
  concurrency: number;
  /** True for one file that a person named: it is refused where it has no text. */
  isAlone?: boolean;
}

export interface IngestHooks {
  onProgress(file: Pick<IngestedFile, 'file' | 'name'>, batch: BatchState): void;
  onDone(result: IngestedFile): void;
  signal: AbortSignal;
  /** Called when nothing can be stored any more, here or at the server. `signal` then aborts. */
  giveUp: (trouble: AppError) => void;
  /** The content of the file `-`. */
  stdin: Readable;
}

/** In bytes. Of larger files only a few are in memory at a time. */
const largeFrom = 1 << 20;
const largeAtOnce = 4;

/** Possibly temporary errors: a failed batch with one of them is tried again. */
const passing = new Set<string>(['internal', 'timeout', 'out_of_memory', 'model_unavailable']);

/** Tries a batch again that failed for a reason which may have passed. */
export async function retryIfPassing(target: IngestTarget, sent: Sent): Promise<Sent> {
  const { id, error } = sent.batch;
  return error !== null && passing.has(error.code) ? target.retry(id) : sent;
}

/**
 * Ingests files, one or several at a time; an invalid one never stops the others. Waiting ends only if a worker runs,
 * in this process or another.
 */
export async function ingestFiles(
  target: IngestTarget,
  files: readonly FoundFile[],
  options: IngestOptions,
  hooks: IngestHooks,
): Promise<void> {
  const paths = files.map(({ path }) => path);
  const known = await target.namesOf(paths);
  // The caller has named standard input, so no other file has that name.
  for (const { path, name } of files) if (path === '-') known.set(path, name);
  const names = nameFiles(files, known);
  const queue = files.values();
  const large = createBounded({ atOnce: largeAtOnce, waiting: Infinity });
  const lane = async () => {
    for (const { path, folder } of queue) {
      if (hooks.signal.aborted) return;
      const name = names.get(path) ?? basename(path);
      const isKnown = known.has(path);
      // A file that is known by its path is told from others by that.
      const one = { path, name, isKnown, folder: isKnown ? null : folder };
      const isSmall = await isSmallFile(path);
      const ingest = () => ingestFile(target, { ...one, isSmall }, options, hooks);
      const ingested = isSmall ? ingest() : large.run(ingest);
      const result = await ingested.catch((error: unknown) => {
        if (!isForAll(error)) return failedFile(path, name, error);
        hooks.giveUp(error);
        return blankFile(path, name, 'interrupted');
      });
      hooks.onDone(result);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, lane));
}

/** Errors that each further file would meet after a long wait. */
function isForAll(error: unknown): error is AppError {
  return (
    isStorageTrouble(error) || error instanceof ServerGone || codeOf(error) === 'database_busy'
  );
}

interface NamedFile {
  path: string;
  name: string;
  folder: string | null;
  /** True when it was ingested earlier from this path. */
  isKnown: boolean;
  isSmall: boolean;
}

async function ingestFile(
  target: IngestTarget,
  { path: file, name: fileName, isKnown, folder, isSmall }: NamedFile,
  options: IngestOptions,
  hooks: IngestHooks,
): Promise<IngestedFile> {
  const bytes = isSmall
    ? await readFile(file)
    : await readSource(openSource(file, hooks.stdin), target.maxFileMb, hooks.signal);
  // Before it is sent, which may take long.
  const kind = recognizeKind(bytes, fileName);
  const fileSha256 = sha256Of(bytes);
  const path = file === '-' ? null : file;
  const upload = { fileName, fileSha256, path, folder };
  const { standing, batch: known, alsoAt } = await target.lookUp(upload);
  const found = { ...blankFile(file, fileName, 'ingested'), standing, alsoAt };
  // A page that had text before is no page to skip: answers may still cite that.
  const isSkipped = ({ error }: BatchState) =>
    options.isAlone !== true && standing !== 'changed' && hasNoText(kind, error);
  if (options.dryRun)
    return { ...plan(found, known, isSkipped), versionNote: describeDoubt(target, found) };
  if (standing === 'unchanged' && known !== undefined && path !== null && !isKnown) {
    await target.follow?.(known.id, path);
  }
  const sent = isSettled(target, known)
    ? { batch: known, isRepeated: false }
    : await target.send({ ...upload, bytes, kind });
  const { isRepeated, ...last } = await retryIfPassing(target, sent);
  let { batch } = last;
  // Another run was faster: it is the one that reports the file as new.
  if (isRepeated) found.standing = 'unchanged';
  if (options.wait && batch.status === 'processing') {
    for await (const state of target.watch(batch, hooks.signal)) {
      batch = state;
      hooks.onProgress(found, state);
    }
  }
  return summarize(target, found, batch, { ...options, isSkipped: isSkipped(batch) });
}

/** True when nothing has to be sent. A batch without the stated source gets it when the file is sent. */
function isSettled(target: IngestTarget, known: BatchState | undefined): known is BatchState {
  return known !== undefined && (target.source === null || known.source === target.source);
}

/** The expected result for a file. A file that failed permanently would fail again. */
function plan(
  found: IngestedFile,
  batch: BatchState | undefined,
  isSkipped: (batch: BatchState) => boolean,
): IngestedFile {
  if (batch === undefined) return found;
  const { id: batchId, createdAt: storedAt, totalPages: pages } = batch;
  const known = { ...found, batchId, storedAt, pages };
  if (found.standing === 'unchanged') return { ...known, outcome: 'unchanged' };
  if (isSkipped(batch)) return { ...known, outcome: 'skipped' };
  const isLasting = batch.error !== null && !passing.has(batch.error.code);
  return isLasting ? { ...known, outcome: 'failed', error: batch.error } : known;
}

async function summarize(
  target: IngestTarget,
  found: IngestedFile,
  batch: BatchState,
  { approve, wait, isSkipped }: IngestOptions & { isSkipped: boolean },
): Promise<IngestedFile> {
  const isUnchanged = found.standing === 'unchanged';
  const base = {
    ...found,
    batchId: batch.id,
    storedAt: batch.createdAt,
    pages: batch.totalPages,
    pagesWithoutText: batch.pagesWithoutText,
    diff: batch.diff,
    visibilityNotes: isUnchanged ? [] : describeVisibility(batch),
    versionNote: describeDoubt(target, { ...found, diff: batch.diff }),
  };
  if (isSkipped) return { ...base, outcome: 'skipped' };
  if (batch.status === 'failed') {
    const nothing = { code: 'internal' as const, message: 'It failed without a reason.' };
    return { ...base, outcome: 'failed', error: batch.error ?? nothing };
  }
  if (batch.status === 'processing') return { ...base, outcome: wait ? 'interrupted' : 'accepted' };
  const outcome = isUnchanged ? 'unchanged' : 'ingested';
  return { ...base, ...(await target.review(batch, approve)), outcome };
}

/**
 * Reads the bytes of a file. Errors: `file_too_large` as soon as there are too many, without reading on; those of the
 * file system.
 */
async function readSource(
  source: Readable,
  maxMb: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  addAbortSignal(signal, source);
  try {
    for await (const piece of source as AsyncIterable<Buffer>) {
      size += piece.byteLength;
      if (size > maxMb * 1024 * 1024) throw fileTooLarge(maxMb);
      pieces.push(piece);
    }
  } catch (error) {
    if (signal.aborted) throw new AppError('shutting_down', 'Interrupted.', { cause: error });
    throw error;
  }
  return Buffer.concat(pieces);
}

/** Opens a file for reading in pieces, so that one that is far too large costs no memory. */
function openSource(path: string, stdin: Readable): Readable {
  return path === '-' ? stdin : createReadStream(path, { highWaterMark: 1 << 20 });
}

/**
 * True for a file that is read at once: a stream would take more memory. False for standard input, and for what can't be read, which fails later
 * with its reason.
 */
async function isSmallFile(path: string): Promise<boolean> {
  if (path === '-') return false;
  return stat(path).then(
    (found) => found.isFile() && found.size <= largeFrom,
    () => false,
  );
}
