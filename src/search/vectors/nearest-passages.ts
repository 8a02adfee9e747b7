import type { App } from '../../platform/app.js';
import { giveTurns } from '../../platform/workers/give-turns.js';
import type { Generation } from './generation.js';
import { firstAtLeast } from '../../platform/first-at-least.js';
import { cosineEstimates } from './cosine-estimates.js';
import { LeastApart } from './least-apart.js';
import { signsOf, toWords } from './vector-code.js';
import { vectorMemoryOf, type Codes, type StoredCodes } from './vector-memory.js';
import { readVectors } from './vectors.repository.js';

export interface NearPassage {
  id: number;
  /** The cosine of both, -1 to 1. The level of similarity differs between models. */
  similarity: number;
}

/**
 * Of all codes, those with the fewest differences are `estimated`, and of these the best are `compared` by their vectors:
 * among more passages, more have codes as near as those of the ten nearest.
 */
const estimated = { least: 4000, share: 1 / 200 };
const compared = { least: 1000, share: 1 / 1000 };

/**
 * The visible passages (ids, ascending) whose vectors are nearest to a vector of length 1, by cosine, nearest first.
 * Codes choose the candidates; their cosines are exact.
 */
export async function nearestPassages(
  app: Pick<App, 'db' | 'config'>,
  generation: Generation,
  vector: Float32Array,
  visible: Uint32Array,
  limit: number,
): Promise<NearPassage[]> {
  const codes = await vectorMemoryOf(app).codesOf(app, generation);
  const asked = toWords(signsOf(vector), generation.dimension);
  const number = ({ least, share }: typeof compared) =>
    Math.max(least, Math.ceil(visible.length * share));
  const near = new LeastApart(number(estimated), generation.dimension);
  // A million codes take about 15 ms.
  const takeBreath = giveTurns();
  for await (const stored of codes.all()) {
    measure(near, stored, asked, visible);
    await takeBreath();
  }
  const best = await bestEstimated(codes, near.ids(), vector, number(compared));
  const vectors = await readVectors(app, generation.id, best);
  return vectors
    .map(({ id, vector: other }) => ({ id, similarity: dotProduct(vector, other) }))
    .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
    .slice(0, limit);
}

/** The cosine of two vectors of length 1. */
export function dotProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

/** Comparing all codes is faster than copies of some, if more than this share of them is visible. */
const manyVisible = 1 / 8;

function measure(
  near: LeastApart,
  { ids, store, row }: StoredCodes,
  asked: Int32Array,
  visible: Uint32Array,
): void {
  const first = firstAtLeast(visible, ids[0] ?? 0);
  const end = firstAtLeast(visible, (ids.at(-1) ?? 0) + 1, first);
  if (end - first > ids.length * manyVisible) {
    const found = store.differencesFrom(asked, row, ids.length);
    for (let at = 0; at < ids.length; at++) {
      const bits = found[at] ?? 0;
      if (bits > near.most) continue;
      const id = ids[at] ?? 0;
      if (visible[firstAtLeast(visible, id, first, end)] === id) near.add(id, bits);
    }
    return;
  }
  const coded = [...visible.subarray(first, end)]
    .map((id) => ({ id, at: firstAtLeast(ids, id) }))
    .filter(({ id, at }) => ids[at] === id);
  const found = store.differencesOf(
    asked,
    coded.map(({ at }) => row + at),
  );
  for (const [at, { id }] of coded.entries()) near.add(id, found[at] ?? 0);
}

/** The passages whose cosines are the highest by an estimate: at least `limit`, if there are as many. */
async function bestEstimated(
  codes: Codes,
  near: Uint32Array,
  vector: Float32Array,
  limit: number,
): Promise<number[]> {
  if (near.length <= limit) return [...near];
  const estimate = cosineEstimates(vector);
  const found = (await codes.among(near)).flatMap(({ ids, codes }) => {
    const cosines = estimate(codes);
    return Array.from(ids, (id, at) => ({ id, cosine: cosines[at] ?? 0 }));
  });
  const sorted = Float32Array.from(found, ({ cosine }) => cosine).sort();
  const least = sorted[sorted.length - limit] ?? -Infinity;
  return found.filter(({ cosine }) => cosine >= least).map(({ id }) => id);
}
