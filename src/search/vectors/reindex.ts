import { recordChange } from '../../audit/record-change.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { isInstalled } from '../../platform/models/installed-models.js';
import { pause } from '../../platform/retry.js';
import { describeVectors, type VectorsReport } from './describe-vectors.js';
import { embedDuePassages } from './embed-due-passages.js';
import { wantedModel, isOf, type Generation } from './generation.js';
import { changeState, listGenerations } from './generations.repository.js';

export interface ReindexOptions {
  signal: AbortSignal;
  onProgress: (report: VectorsReport) => void;
  /** Called once, when another process seems to be embedding. */
  onWait?: () => void;
}

/** How often the progress of another process is read, in milliseconds. */
const watchMs = 300;

export interface Reindexed {
  /** The passages that this process embedded. */
  embedded: number;
  /** True when the live vectors belong to the configured model. */
  whole: boolean;
  /** True when somebody reverted them meanwhile. */
  undone: boolean;
}

/**
 * Embeds all passages with the configured model and makes its vectors live, even if somebody reverted them before. Ends
 * early with `whole: false` when the signal aborts, or somebody reverts meanwhile; finished work stays. Waits while
 * another process is embedding. Errors: `invalid_config` without an embedding model; `model_unavailable` when it can't
 * be used.
 */
export async function reindex(
  app: App,
  actor: Actor,
  { signal, onProgress, onWait }: ReindexOptions,
): Promise<Reindexed> {
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
  const before = await listGenerations(app);
  const redo = new Set(before.filter(({ state }) => state === 'undone').map(({ id }) => id));
  while (!signal.aborted) {
    const outcome = await embedDuePassages(app, { signal, redo, onStep });
    embedded += outcome.embedded;
    if (!outcome.elsewhere) break;
    if (!waits) onWait?.();
    waits = true;
    await onStep();
    await pause(watchMs, signal);
  }
  const wanted = signal.aborted ? undefined : await wantedModel(app);
  const mine = (await listGenerations(app)).filter(
    (one) => wanted !== undefined && isOf(one, wanted),
  );
  const whole = mine.some(({ state }) => state === 'live');
  return { embedded, whole, undone: !whole && mine.some(({ state }) => state === 'undone') };
}

/**
 * Reverts to the previous live vectors, until `reindex` is called or another model is configured. A generation under
 * construction is discarded. Errors: `conflict` when there is nothing to revert to, or when the old vectors' model is
 * gone, so that no question can be compared with them. `unchecked`: the server could not be asked.
 */
export async function undoReindex(
  app: App,
  actor: Actor,
): Promise<VectorsReport & { unchecked: boolean }> {
  const { organizationId } = requirePermission(actor, 'administer');
  const { back: expected } = wayBack(await listGenerations(app));
  const state = await stateOfModel(app, expected);
  if (state === 'gone') throw modelIsGone(app, expected);
  await inTransaction(app, async (app) => {
    const generations = await listGenerations(app);
    const { left, back, building } = wayBack(generations);
    if (back.id !== expected.id) {
      throw new AppError(
        'conflict',
        'The vectors have just changed. Look at them (assistant reindex --status), and try again.',
      );
    }
    for (const undone of generations.filter((one) => one.state === 'undone')) {
      await changeState(app, undone.id, 'discarded');
    }
    await changeState(app, left.id, 'undone');
    if (!building) await changeState(app, back.id, 'live');
    await recordChange(app, actor, {
      organizationId,
      action: 'embedding_model.undo',
      subject: `embedding_model:${left.id}`,
      before: { model: left.model, digest: left.digest },
      after: { model: back.model, digest: back.digest },
    });
  });
  return { ...(await describeVectors(app, organizationId)), unchecked: state === 'unknown' };
}

/** The vectors that would be left, and their replacement. */
function wayBack(generations: readonly Generation[]): {
  left: Generation;
  back: Generation;
  building: boolean;
} {
  const inState = (state: Generation['state']) => generations.find((one) => one.state === state);
  const building = inState('building');
  const left = building ?? inState('live');
  const back = building === undefined ? inState('previous') : inState('live');
  if (left !== undefined && back !== undefined) {
    return { left, back, building: building !== undefined };
  }
  throw new AppError(
    'conflict',
    'There are no previous vectors to return to. assistant reindex --status shows the present ones.',
  );
}

/** True when the model of the vectors can still embed questions. */
async function stateOfModel(
  app: App,
  { model, digest }: Generation,
): Promise<'there' | 'gone' | 'unknown'> {
  try {
    return (await app.models.digestOf(model)) === digest ? 'there' : 'gone';
  } catch {
    const status = await app.models.status();
    return status.reachable && !isInstalled(model, status.models) ? 'gone' : 'unknown';
  }
}

function modelIsGone(app: App, { model, digest }: Generation): AppError {
  const as =
    digest === '' ? '' : ` as it was then (${digest.replace(/^sha256:/, '').slice(0, 12)})`;
  return new AppError(
    'conflict',
    `The previous vectors are of ${model}${as}, which is no longer installed at ${app.config.ollama.url}: questions can't be compared with them. Install it again, or set another ollama.embedding_model and run assistant reindex.`,
  );
}
