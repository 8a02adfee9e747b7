import { setTimeout as wait } from 'node:timers/promises';
import { recordChange } from '../../audit/record-change.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { describeVectors, type VectorsReport } from './describe-vectors.js';
import { embedDuePassages } from './embed-due-passages.js';
import { isOf, type Generation } from './generation.js';
import { changeState, listGenerations } from './generations.repository.js';
import { wantedModel } from './wanted-model.js';

export interface ReindexOptions {
  signal: AbortSignal;
  onProgress: (report: VectorsReport) => void;
  /** Told once, where another process seems to be at it. */
  onWait?: () => void;
}

/** How often the progress of another process is looked at, in milliseconds. */
const watchMs = 300;

/**
 * Embeds all passages with the model of the settings and makes its vectors the live ones, also when somebody went
 * back from them before. Ends early, with `whole: false`, when the signal aborts: what was done stays. Where another
 * process is at it already, this one waits for it. Refuses with `invalid_config` where no embedding model is set, and
 * with `model_unavailable` where it can't be asked.
 */
export async function reindex(
  app: App,
  actor: Actor,
  { signal, onProgress, onWait }: ReindexOptions,
): Promise<{ embedded: number; whole: boolean }> {
  requirePermission(actor, 'administer');
  if (app.config.ollama.embedding_model === '') {
    throw new AppError(
      'invalid_config',
      'No embedding model is set. Set ollama.embedding_model, for example to nomic-embed-text.',
    );
  }
  let embedded = 0;
  let waits = false;
  const onStep = async () => onProgress(await describeVectors(app));
  while (!signal.aborted) {
    const outcome = await embedDuePassages(app, { signal, redo: true, onStep });
    embedded += outcome.embedded;
    if (!outcome.elsewhere) break;
    if (!waits) onWait?.();
    waits = true;
    await onStep();
    await wait(watchMs, undefined, { signal }).catch(() => undefined);
  }
  const live = (await listGenerations(app)).find(({ state }) => state === 'live');
  const whole = !signal.aborted && live !== undefined && isOf(live, await wantedModel(app));
  return { embedded, whole };
}

/**
 * Goes back to the vectors that were live before, and stays there until `reindex` is asked for or another model is
 * set; a generation that is only being built is given up. Refuses with `conflict` when there is nothing to go back to.
 */
export async function undoReindex(app: App, actor: Actor): Promise<VectorsReport> {
  const { organizationId } = requirePermission(actor, 'administer');
  await inTransaction(app, async (app) => {
    const generations = await listGenerations(app);
    const inState = (state: Generation['state']) => generations.find((one) => one.state === state);
    const live = inState('live');
    const building = inState('building');
    const previous = inState('previous');
    const left = building ?? live;
    const back = building === undefined ? previous : live;
    if (left === undefined || back === undefined) {
      throw new AppError(
        'conflict',
        'There is nothing to go back to: no vectors were live before these. assistant reindex --status shows what there is.',
      );
    }
    for (const undone of generations.filter((one) => one.state === 'undone')) {
      await changeState(app, undone.id, 'discarded');
    }
    await changeState(app, left.id, 'undone');
    if (building === undefined) await changeState(app, back.id, 'live');
    await recordChange(app, actor, {
      organizationId,
      action: 'embedding_model.undo',
      subject: `embedding_model:${left.id}`,
      before: { model: left.model, digest: left.digest },
      after: { model: back.model, digest: back.digest },
    });
  });
  return describeVectors(app);
}
