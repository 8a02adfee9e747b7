import type { App } from '../../platform/app.js';
import { traced } from '../../platform/tracing.js';
import { withoutEscapes } from '../../platform/text/escape-markdown.js';
import { ModelError } from '../../platform/models/model-error.js';
import { listPassagesAfter, type PassageText } from './vectors.repository.js';
import type { DueTrust } from './due-trust.js';
import { type Generation, isOf, type WantedModel } from './generation.js';

export interface EmbeddedBatch {
  vectors: { passageId: number; vector: Float32Array }[];
  /** The last passage that was read. */
  embeddedTo: number;
  /** Passages that the model could not embed. */
  refused: number;
}

/**
 * The vectors of the next passages that a generation lacks; undefined when its model has been replaced. A passage that
 * the model cannot embed is skipped, so that it does not block the rest. Errors: `model_unavailable` when the model
 * cannot embed anything.
 */
export async function embedBatch(
  app: App,
  generation: Generation,
  signal: AbortSignal,
): Promise<EmbeddedBatch | undefined> {
  const size = app.config.ollama.embedding_batch;
  const passages = await listPassagesAfter(app, generation.embeddedTo, size);
  const embeddedTo = passages.at(-1)?.id ?? generation.embeddedTo;
  try {
    const vectors = await embedAll(app, generation, passages, signal);
    return vectors && { vectors, embeddedTo, refused: 0 };
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const vectors: EmbeddedBatch['vectors'] = [];
  let refused = 0;
  for (const passage of passages) {
    try {
      const one = await embedAll(app, generation, [passage], signal);
      if (one === undefined) return undefined;
      vectors.push(...one);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Test a plain word: if that fails too, the model is at fault and no passage may be skipped.
      await embedAll(app, generation, [{ id: 0, title: '', body: 'word' }], signal);
      refused += 1;
    }
  }
  return { vectors, embeddedTo, refused };
}

async function embedAll(
  app: App,
  { model, digest, dimension, passagePrefix }: Generation,
  passages: PassageText[],
  signal: AbortSignal,
): Promise<EmbeddedBatch['vectors'] | undefined> {
  const input = passages.map(({ title, body }) => `${title}\n${withoutEscapes(body)}`.trim());
  const request = { input, kind: 'passage', model, prefix: passagePrefix, signal } as const;
  const facts = { 'assistant.passages': passages.length };
  const answer = await traced(app, 'ingestion.embed', () => app.models.embed(request), { facts });
  if (answer.digest !== digest) return undefined;
  if (passages.length > 0 && answer.dimension !== dimension) {
    throw new ModelError(
      'refused',
      `The model "${model}" gives vectors of ${answer.dimension} numbers now, and gave ${dimension} before, under the same digest. Set ollama.embedding_model to the name of another model, or pull this one again.`,
    );
  }
  return answer.vectors.map((vector, index) => ({ passageId: passages[index]?.id ?? 0, vector }));
}

function isRefusal(error: unknown): boolean {
  return error instanceof ModelError && error.failure === 'refused';
}

/** The next step towards vectors of the wanted model for all passages. */
export type Step =
  | { do: 'create' }
  | {
      do: 'embed' | 'swap' | 'revive' | 'discard' | 'purge' | 'rename';
      generation: Generation;
    }
  | { do: 'judge'; generation: Generation; due: DueTrust };

interface Situation {
  generations: readonly Generation[];
  wanted: WantedModel;
  newestPassage: number;
  /** For each generation, the next trust to estimate. */
  dueTrust: ReadonlyMap<number, DueTrust>;
  /** True when the live generation's model, if not the wanted one, can still be used. */
  liveAnswers: boolean;
  /** The ids of generations to use although they were reverted. */
  redo: ReadonlySet<number>;
}

/**
 * The next step, or undefined when all is done. A new model's generation is built beside the live one, which stays up
 * to date, and replaces it once complete.
 */
export function nextStep(situation: Situation): Step | undefined {
  const { generations, wanted, newestPassage, dueTrust, liveAnswers } = situation;
  const inState = (state: Generation['state']) => generations.find((one) => one.state === state);
  const live = inState('live');
  const building = inState('building');
  const behind = (generation: Generation) => generation.embeddedTo < newestPassage;
  const misnamed = generations.find(
    (one) => isOf(one, wanted) && one.model !== wanted.model && one.state !== 'discarded',
  );
  if (misnamed !== undefined) return { do: 'rename', generation: misnamed };

  const target = targetOf(situation);
  if (building !== undefined && building !== target) {
    return { do: 'discard', generation: building };
  }
  // These are few passages and questions need them now, so they come before the new generation.
  const liveIsAsked = live !== undefined && (isOf(live, wanted) || liveAnswers);
  if (liveIsAsked && behind(live)) return { do: 'embed', generation: live };
  if (target === undefined) return { do: 'create' };
  const due = dueTrust.get(target.id);
  if (target.state === 'building') {
    if (behind(target)) return { do: 'embed', generation: target };
    if (due !== undefined) return { do: 'judge', generation: target, due };
    return { do: 'swap', generation: target };
  }
  const isReturn =
    target.state === 'previous' || (target.state === 'undone' && situation.redo.has(target.id));
  if (isReturn) return { do: 'revive', generation: target };
  if (target.state === 'live' && due !== undefined) {
    return { do: 'judge', generation: target, due };
  }
  const discarded = inState('discarded');
  return discarded === undefined ? undefined : { do: 'purge', generation: discarded };
}

/** The generation that should be live; undefined when it must still be created. */
function targetOf({ generations, wanted }: Situation): Generation | undefined {
  const fitting = generations.filter((one) => one.state !== 'discarded' && isOf(one, wanted));
  const order: Generation['state'][] = ['live', 'building', 'undone', 'previous'];
  return fitting.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))[0];
}
