import type { App } from '../../platform/app.js';
import { ModelError } from '../../platform/models/model-error.js';
import type { Generation } from './generation.js';
import { listPassagesAfter, type PassageText } from './vectors.repository.js';

export interface EmbeddedBatch {
  vectors: { passageId: number; vector: Float32Array }[];
  /** The last passage that was looked at. */
  embeddedTo: number;
  /** Passages of which the model made nothing. */
  refused: number;
}

/**
 * The vectors of the next passages that a generation lacks; undefined when its model is another one by now. A passage
 * that the model fails at by itself is passed over, so that it does not hold up the rest. Refuses with
 * `model_unavailable` when the model fails at everything.
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
      // Were it not this passage's fault, every one would be passed over: a plain word must do.
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
  const input = passages.map(({ title, body }) => `${title}\n${body}`.trim());
  const request = { input, kind: 'passage', model, prefix: passagePrefix, signal } as const;
  const answer = await app.models.embed(request);
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
