import type { App } from '../../platform/app.js';
import type { Generation } from './generation.js';
import { countOnes, signsOf, toWords, wordsFor } from './vector-code.js';
import { vectorMemoryOf } from './vector-memory.js';
import { readVectors, type CodeBlock } from './vectors.repository.js';

/** A passage that is near to a question. */
export interface NearPassage {
  id: number;
  /** The cosine of the two, -1 to 1. What counts as near differs from model to model. */
  similarity: number;
}

/** Passages whose codes are nearest, and whose vectors are compared exactly. */
const rescored = 1000;

/**
 * Those of the visible passages (ascending) whose vectors are nearest to one of length 1, by their cosine, nearest
 * first. Those that come into question are chosen by their codes; among them the cosine is exact.
 */
export async function nearestPassages(
  app: Pick<App, 'db' | 'config'>,
  generation: Generation,
  vector: Float32Array,
  visible: Uint32Array,
  limit: number,
): Promise<NearPassage[]> {
  const measured = measureFrom(vector, generation.dimension, visible);
  for await (const block of vectorMemoryOf(app).codesOf(app, generation)) measured.add(block);
  const vectors = await readVectors(app, generation.id, measured.nearest(rescored));
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

/** How many signs of the visible passages' vectors differ from those of one. Blocks come in order of their passages. */
function measureFrom(vector: Float32Array, dimension: number, visible: Uint32Array) {
  const words = wordsFor(dimension);
  const asked = toWords(signsOf(vector), dimension);
  const found = new Uint32Array(visible.length);
  const apart = new Uint16Array(visible.length);
  let count = 0;
  let next = 0;
  return {
    add({ ids, codes }: CodeBlock): void {
      for (let row = 0; row < ids.length; row++) {
        const id = ids[row] ?? 0;
        while (next < visible.length && (visible[next] ?? 0) < id) next++;
        if (next === visible.length) return;
        if (visible[next] !== id) continue;
        let differing = 0;
        const start = row * words;
        for (let at = 0; at < words; at++) {
          differing += countOnes((codes[start + at] ?? 0) ^ (asked[at] ?? 0));
        }
        found[count] = id;
        apart[count] = differing;
        count++;
      }
    },
    /** Among what is equally far the lower number comes first, so that each run gives the same. */
    nearest(limit: number): number[] {
      const having = new Uint32Array(words * 32 + 1);
      for (let at = 0; at < count; at++) having[apart[at] ?? 0] = (having[apart[at] ?? 0] ?? 0) + 1;
      let farthest = 0;
      let closer = 0;
      while (farthest < having.length && closer + (having[farthest] ?? 0) <= limit) {
        closer += having[farthest] ?? 0;
        farthest++;
      }
      let atEdge = limit - closer;
      const ids: number[] = [];
      for (let at = 0; at < count; at++) {
        const differing = apart[at] ?? 0;
        if (differing < farthest || (differing === farthest && atEdge-- > 0)) {
          ids.push(found[at] ?? 0);
        }
      }
      return ids;
    },
  };
}
