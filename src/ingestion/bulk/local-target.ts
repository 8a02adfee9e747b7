import type { Member, Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { openFilesTrouble } from '../../platform/db/sqlite-trouble.js';
import type { Page } from '../../platform/db/select-page.js';
import { AppError, codeOf } from '../../platform/errors.js';
import { chooseApp } from '../../tenancy/choose-app.js';
import { pause } from '../../platform/retry.js';
import { inGroups } from '../../platform/workers/in-groups.js';
import { countEntriesOfBatches } from '../../knowledge/entry-lists.repository.js';
import { approveBatch } from '../review/approve-batch.js';
import { isTakenBack } from '../batches/batch.js';
import { newLease } from '../batches/lease.js';
import { lookUpIn } from '../upload/look-up-file.js';
import { getDocument, listDocuments } from '../review/list-documents.js';
import {
  findGoneDocuments,
  findOtherPath,
  followMovedFile,
  pruneDocument,
} from '../review/prune-documents.js';
import {
  findHiddenPages,
  getBareBatches,
  getBatch,
  getBatchState,
  retryBatch,
} from '../review/review-batch.js';
import { findNamesOfPaths } from '../batches/source-paths.repository.js';
import {
  startIngestions,
  type StartedIngestion,
  type UploadInput,
} from '../upload/start-ingestion.js';
import { untilEnded } from '../review/watch-batch.js';
import { findGoneOfSource } from './gone-of-source.js';
import type { IngestTarget } from './ingest-target.js';

/** Files that are accepted together have at most so many bytes: other writers wait meanwhile. */
const mostBytes = 4 * 1024 * 1024;
/** Batches per question to the database. */
const mostAsked = 64;
/** How often the pages that this process has read are shown, in milliseconds. */
const progressMs = 250;

export interface TargetOptions {
  appId?: number | undefined;
  domain?: string | undefined;
  visibility?: Visibility | undefined;
  /** The source that the files belong to. */
  source?: string | undefined;
  /** Ingests the same bytes again. */
  force: boolean;
}

export interface LocalRun {
  /** True when this process ingests the files itself. */
  work: boolean;
  giveUp: (trouble: AppError) => void;
  /** Files that still wait to be stored are left out when it aborts. */
  signal?: AbortSignal;
}

/**
 * The local database as a target. With `work`, this process ingests the files, unless a server or another worker takes
 * them first. It calls `giveUp` when nothing can be stored any more. Errors: `usage` when too few files may be open;
 * those of chooseApp.
 */
export async function openLocalTarget(
  app: App,
  actor: Member,
  { appId, domain, visibility, source, force }: TargetOptions,
  { work, giveUp, signal }: LocalRun,
): Promise<IngestTarget> {
  const chosen = await chooseApp(app, actor, { appId, domain });
  const place = { organizationId: actor.organizationId, appId: chosen.app.id };
  const few = work ? openFilesTrouble(8 * (app.config.ingestion.threads + 2)) : undefined;
  if (few !== undefined) throw few;
  const { openWorker } = await import('../worker/run-worker.js');
  const worker = work ? openWorker(app, { onStorageTrouble: giveUp }) : undefined;
  const attempts = new Map<string, Promise<void>>();
  type Inputs = [UploadInput, ...UploadInput[]];
  const start = inGroups(
    async (inputs: UploadInput[]): Promise<StartedIngestion[]> => {
      if (signal?.aborted === true) throw new AppError('shutting_down', 'Interrupted.');
      return startIngestions(app, actor, chosen, inputs as Inputs);
    },
    { weigh: ({ bytes }) => bytes.byteLength, limit: mostBytes },
  );
  // Files that are stored together are asked about at one time.
  const readBatch = inGroups((ids: string[]) => getBareBatches(app, actor, ids), {
    limit: mostAsked,
  });
  const countEntries = inGroups(
    async (ids: string[]) => {
      const counts = await countEntriesOfBatches(app, ids);
      return ids.map((id) => counts.get(id)?.entries ?? 0);
    },
    { limit: mostAsked },
  );
  return {
    maxFileMb: app.config.ingestion.max_file_mb,
    domain: chosen.domain,
    domainIsRegistered: chosen.domainIsRegistered,
    source: source ?? null,
    namesOf: (paths) => {
      const target = { ...place, domain: chosen.domain, source: source ?? null };
      return findNamesOfPaths(app, target, paths);
    },
    async lookUp({ path, folder, ...file }) {
      const upload = { ...file, folder: folder ?? undefined, source, visibility, force };
      const { standing, batch, last } = await lookUpIn(app, actor, chosen, upload);
      const isDoubtful =
        standing === 'changed' && source === undefined && path !== null && last !== undefined;
      const alsoAt = isDoubtful ? await findOtherPath(app, last.id, path) : null;
      return { standing, batch, alsoAt };
    },
    async send({ path, folder, kind: _, ...file }) {
      const place = { sourcePath: path ?? undefined, folder: folder ?? undefined, source };
      const lease = worker === undefined ? undefined : newLease(app);
      const started = await start({ ...file, ...place, visibility, force, lease });
      const { batch, duplicate } = started;
      if (!started.duplicate && worker !== undefined) {
        const { isFirst } = started;
        attempts.set(batch.id, worker.process(started.batch, { bytes: file.bytes, isFirst }));
      }
      return { batch, isRepeated: duplicate };
    },
    async retry(batchId) {
      try {
        return { batch: await retryBatch(app, actor, batchId), isRepeated: false };
      } catch (error) {
        if (codeOf(error) !== 'conflict') throw error;
        return { batch: await getBatchState(app, actor, batchId), isRepeated: true };
      }
    },
    watch(batch, signal) {
      const ask = () => readBatch(batch.id);
      let attempt = attempts.get(batch.id);
      attempts.delete(batch.id);
      // Other processes can't say when an attempt has ended: they are asked again and again.
      const wait = async (ms: number) => {
        if (attempt === undefined) await pause(ms, signal);
        else if (await endsWithin(attempt, progressMs)) attempt = undefined;
      };
      return untilEnded(batch, ask, signal, wait);
    },
    async review(batch, approve) {
      const pagesWithHiddenText = await findHiddenPages(app, batch);
      if (!approve) {
        const entries = await countEntries(batch.id);
        return { entries, approved: 0, takenBack: 0, pagesWithHiddenText };
      }
      // Look without a lock first: usually there is nothing to approve.
      const before = await getBatch(app, actor, batch.id);
      const waiting = before.entries.filter((entry) => entry.status === 'draft');
      const isDone = waiting.every((entry) => isTakenBack(entry, before.replaced));
      const approval = { batchId: batch.id, entryIds: 'all' } as const;
      const { approved } = isDone ? { approved: 0 } : await approveBatch(app, actor, approval);
      // A draft that replaces an entry gives it its place in the batch: there are as many as before.
      const { entries, replaced } = before;
      const takenBack = entries.filter((entry) => isTakenBack(entry, replaced)).length;
      return { entries: entries.length, approved, takenBack, pagesWithHiddenText };
    },
    follow: (batchId, path) => followMovedFile(app, batchId, path),
    pruning: {
      findGone({ folders, names, present }) {
        if (source === undefined) {
          const below = { ...place, domain: chosen.domain, folders, present };
          return findGoneDocuments(app, actor, below);
        }
        const wanted = { source, appId: chosen.app.id, domain: chosen.domain ?? undefined };
        const documents = {
          list: (page: Page) => listDocuments(app, actor, { ...wanted, ...page }),
          weigh: (batchId: string) => getDocument(app, actor, batchId),
          limit: 1000,
        };
        return findGoneOfSource(documents, { names, present });
      },
      async prune({ batchId, path }) {
        await pruneDocument(app, actor, batchId, path);
      },
    },
    close: async () => worker?.stop(),
  };
}

/** Returns whether an attempt has ended after at most `ms` milliseconds. */
function endsWithin(attempt: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void attempt.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
