import type { Member, Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { type AppError, codeOf } from '../../platform/errors.js';
import { chooseApp } from '../../tenancy/choose-app.js';
import { countEntriesOfBatches } from '../../knowledge/entry-lists.repository.js';
import { approveEntries } from '../review/approve-batch.js';
import { isTakenBack } from '../batches/batch.js';
import { lookUpIn } from '../upload/look-up-file.js';
import { findGoneDocuments, followMovedFile, pruneDocument } from '../review/prune-documents.js';
import {
  findHiddenPages,
  getBareBatch,
  getBatch,
  getBatchState,
  retryBatch,
} from '../review/review-batch.js';
import { findNamesOfPaths } from '../batches/source-paths.repository.js';
import { startIngestion } from '../upload/start-ingestion.js';
import { untilEnded } from '../review/watch-batch.js';
import type { IngestTarget } from './ingest-target.js';

export interface TargetOptions {
  appId?: number | undefined;
  domain?: string | undefined;
  visibility?: Visibility | undefined;
  /** Ingests the same bytes again. */
  force: boolean;
}

/**
 * The local database as a target. With `work`, this process ingests the files, unless a server or another worker takes
 * them first. It calls `giveUp` when nothing can be stored any more. Refuses as chooseApp does.
 */
export async function openLocalTarget(
  app: App,
  actor: Member,
  { appId, domain, visibility, force }: TargetOptions,
  { work, giveUp }: { work: boolean; giveUp: (trouble: AppError) => void },
): Promise<IngestTarget> {
  const chosen = await chooseApp(app, actor, { appId, domain });
  const place = { organizationId: actor.organizationId, appId: chosen.app.id };
  const { openWorker } = await import('../worker/run-worker.js');
  const worker = work ? openWorker(app, giveUp) : undefined;
  return {
    maxFileMb: app.config.ingestion.max_file_mb,
    domain: chosen.domain,
    domainIsRegistered: chosen.domainIsRegistered,
    namesOf: (paths) => findNamesOfPaths(app, { ...place, domain: chosen.domain }, paths),
    async lookUp(file) {
      const found = await lookUpIn(app, actor, chosen, { ...file, visibility });
      if (!force) return found;
      return { standing: found.standing === 'new' ? 'new' : 'changed', batch: undefined };
    },
    async send({ path, ...file }) {
      const upload = { ...file, sourcePath: path ?? undefined, target: chosen, visibility, force };
      return (await startIngestion(app, actor, upload)).batch;
    },
    async retry(batchId) {
      try {
        return await retryBatch(app, actor, batchId);
      } catch (error) {
        if (codeOf(error) !== 'conflict') throw error;
        return getBatchState(app, actor, batchId);
      }
    },
    async *watch(batchId, signal) {
      const ask = () => getBareBatch(app, actor, batchId);
      yield* untilEnded(await ask(), ask, signal);
    },
    async review(batch, approve) {
      const pagesWithHiddenText = await findHiddenPages(app, batch);
      if (!approve) {
        const entries = (await countEntriesOfBatches(app, [batch.id])).get(batch.id) ?? 0;
        return { entries, approved: 0, takenBack: 0, pagesWithHiddenText };
      }
      // Look without a lock first: usually there is nothing to approve.
      const before = await getBatch(app, actor, batch.id);
      const waiting = before.entries.filter((entry) => entry.status === 'draft');
      const isDone = waiting.every((entry) => isTakenBack(entry, before.replaced));
      const approval = { batchId: batch.id, entryIds: 'all' } as const;
      const approved = isDone ? 0 : await approveEntries(app, actor, approval);
      const { entries, replaced } = isDone ? before : await getBatch(app, actor, batch.id);
      const takenBack = entries.filter((entry) => isTakenBack(entry, replaced)).length;
      return { entries: entries.length, approved, takenBack, pagesWithHiddenText };
    },
    follow: (batchId, path) => followMovedFile(app, batchId, path),
    pruning: {
      findGone: (folders, present) =>
        findGoneDocuments(app, actor, { ...place, domain: chosen.domain, folders, present }),
      prune: (document) => pruneDocument(app, actor, document),
    },
    close: async () => worker?.stop(),
  };
}
