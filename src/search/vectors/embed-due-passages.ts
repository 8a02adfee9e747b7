import { visibilities } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError, messageOf } from '../../platform/errors.js';

import { type DueTrust, findDueTrust } from './due-trust.js';
import { embedBatch, nextStep, type Step } from './embed-batch.js';
import { estimateTrust } from './estimate-trust.js';
import { wantedModel, isOf, type Generation, type WantedModel } from './generation.js';
import {
  advanceGeneration,
  changeState,
  deleteGeneration,
  insertGeneration,
  listGenerations,
  renameGeneration,
} from './generations.repository.js';
import { deleteSomeVectors, insertVectors, newestPassage } from './vectors.repository.js';
import { saveTrust } from './trust.repository.js';
import { claimWork, releaseWork, renewWork } from './work-lease.repository.js';

export interface EmbeddingOptions {
  signal?: AbortSignal | undefined;
  /** Ids of reverted generations to use again, each once: a later decision of an operator is respected. */
  redo?: Set<number>;
  /** Called after each batch. */
  onStep?: () => Promise<void>;
}

export interface EmbeddingOutcome {
  /** The number of passages that got a vector. */
  embedded: number;
  /** True when another process is embedding; this one then does nothing. */
  elsewhere: boolean;
}

/** Vectors that one transaction deletes, because other writers wait meanwhile. */
const purgedAtOnce = 2000;

/**
 * Embeds every passage without a vector, and makes the configured model's generation live once it is complete. Each
 * batch is stored, so work continues after a crash. Only one process of the installation embeds at a time. Errors:
 * `model_unavailable` when the model can't be used.
 */
export async function embedDuePassages(
  app: App,
  options: EmbeddingOptions = {},
): Promise<EmbeddingOutcome> {
  const nothing = { embedded: 0, elsewhere: false };
  if (app.config.ollama.embedding_model === '') return nothing;
  const wanted = await wantedModel(app);
  // Look without a lock first: usually there is nothing to do, and nobody has to wait.
  if ((await lookAhead(app, wanted, options)) === undefined) return nothing;
  const token = await claimWork(app);
  if (token === undefined) return { embedded: 0, elsewhere: true };
  const lost = new AbortController();
  // A slow model may take longer for a batch than the lease lasts.
  const renewing = setInterval(() => {
    void renewWork(app, token).then(
      (held) => (held ? undefined : lost.abort()),
      () => undefined,
    );
  }, app.config.ollama.embedding_lease_ms / 3);
  let failure: string | null = null;
  try {
    const signals = [lost.signal, ...(options.signal === undefined ? [] : [options.signal])];
    return await workOn(app, token, AbortSignal.any(signals), options);
  } catch (error) {
    failure = messageOf(error);
    throw error;
  } finally {
    clearInterval(renewing);
    await releaseWork(app, token, failure);
  }
}

async function workOn(
  app: App,
  token: string,
  signal: AbortSignal,
  options: EmbeddingOptions,
): Promise<EmbeddingOutcome> {
  const ended = () => signal.aborted;
  let embedded = 0;
  while (!ended()) {
    const wanted = await wantedModel(app);
    const step = await lookAhead(app, wanted, options);
    if (step === undefined) break;
    try {
      embedded += await perform(app, token, step, wanted, signal);
    } catch (error) {
      if (ended()) break;
      throw error;
    }
    await options.onStep?.();
  }
  return { embedded, elsewhere: false };
}

/** The next step by the present state of the database. */
async function lookAhead(
  app: App,
  wanted: WantedModel,
  { redo = new Set() }: EmbeddingOptions,
): Promise<Step | undefined> {
  const generations = await listGenerations(app);
  for (const id of redo) {
    // It was used again once: a new revert by an operator counts from now on.
    if (!generations.some((one) => one.id === id && one.state === 'undone')) redo.delete(id);
  }
  const live = generations.find(({ state }) => state === 'live');
  const judged = generations.filter(({ state }) => state === 'live' || state === 'building');
  const situation = {
    generations,
    wanted,
    redo,
    dueTrust: await findDueTrust(
      app,
      judged.map(({ id }) => id),
    ),
    newestPassage: await newestPassage(app),
  };
  const needed = live !== undefined && !isOf(live, wanted);
  return nextStep({ ...situation, liveAnswers: needed && (await answers(app, live)) });
}

/** True when a generation's own model is still installed unchanged. */
async function answers(app: App, { model, digest }: Generation): Promise<boolean> {
  return app.models.digestOf(model).then(
    (now) => now === digest,
    () => false,
  );
}

/** Returns the number of passages that got a vector. */
async function perform(
  app: App,
  token: string,
  step: Step,
  wanted: WantedModel,
  signal: AbortSignal,
): Promise<number> {
  if (step.do === 'create') {
    const { model, passagePrefix } = wanted;
    // A first text shows the length of the vectors, and whether the model embeds at all.
    const probe = await app.models.embed({ input: [model], kind: 'passage', model, signal });
    const { digest, dimension } = probe;
    await whileHeld(app, token, (app) =>
      insertGeneration(app, { model, digest, dimension, passagePrefix }),
    );
    return 0;
  }
  if (step.do === 'judge') {
    await judge(app, token, step, signal);
    return 0;
  }
  const { do: what, generation } = step;
  if (what === 'embed') return embedSome(app, token, generation, signal);
  await whileHeld(app, token, (app) => settle(app, what, generation, wanted));
  return 0;
}

async function embedSome(
  app: App,
  token: string,
  generation: Generation,
  signal: AbortSignal,
): Promise<number> {
  const batch = await embedBatch(app, generation, signal);
  // The model was pulled again: the next look finds that another generation is wanted.
  if (batch === undefined) return 0;
  await whileHeld(app, token, async (app) => {
    await insertVectors(app, generation, batch.vectors);
    await advanceGeneration(app, generation.id, batch.embeddedTo, batch.refused);
  });
  return batch.vectors.length;
}

async function judge(
  app: App,
  token: string,
  { generation, due }: { generation: Generation; due: DueTrust },
  signal: AbortSignal,
): Promise<void> {
  const { organizationId, visibility, passages } = due;
  if (passages === 0) {
    await whileHeld(app, token, (app) => saveTrust(app, due, undefined));
    return;
  }
  const tiers = visibilities.slice(0, visibilities.indexOf(visibility) + 1);
  const scope = { organizationId, appId: undefined, tiers };
  const byLanguage = await estimateTrust(app, generation, scope, signal);
  if (byLanguage === undefined) return;
  await whileHeld(app, token, (app) => saveTrust(app, due, { byLanguage, passages }));
}

async function settle(
  app: App,
  what: 'rename' | 'discard' | 'revive' | 'swap' | 'purge',
  generation: Generation,
  wanted: WantedModel,
): Promise<void> {
  const { id, state } = generation;
  // It may have been reverted between the look and the lock; the next look detects that.
  const isSame = (await listGenerations(app)).some((one) => one.id === id && one.state === state);
  if (!isSame) return;
  if (what === 'rename') await renameGeneration(app, id, wanted.model);
  else if (what === 'discard') await changeState(app, id, 'discarded');
  else if (what === 'revive') await changeState(app, id, 'building');
  else if (what === 'swap') await swap(app, id);
  else if ((await deleteSomeVectors(app, id, purgedAtOnce)) === 0) await deleteGeneration(app, id);
}

/** The new generation replaces the live one, which remains as a fallback until the next swap. */
async function swap(app: App, id: number): Promise<void> {
  const generations = await listGenerations(app);
  // A new passage may have arrived between the look and the lock: then the generation is not complete.
  const next = generations.find((one) => one.id === id);
  if (next === undefined || next.embeddedTo < (await newestPassage(app))) return;
  for (const other of generations.filter((one) => one.id !== id)) {
    if (other.state === 'live') await changeState(app, other.id, 'previous');
    else await changeState(app, other.id, 'discarded');
  }
  await changeState(app, id, 'live');
}

/** Runs a change only while the lease is held: a process that lost it must not overwrite the new holder's work. */
async function whileHeld(
  app: App,
  token: string,
  change: (app: App) => Promise<void>,
): Promise<void> {
  await inTransaction(app, async (app) => {
    if (!(await renewWork(app, token))) {
      throw new AppError('conflict', 'Another process embeds the passages now.');
    }
    await change(app);
  });
}
