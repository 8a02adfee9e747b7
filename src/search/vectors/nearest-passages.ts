import type { App } from '../../platform/app.js';
import { giveTurns } from '../../platform/workers/give-turns.js';
import type { Generation } from './generation.js';
import { countOnes, signsOf, toWords } from './vector-code.js';
import { vectorMemoryOf } from './vector-memory.js';
import { readVectors, type CodeBlock } from './vectors.repository.js';

export interface NearPassage {
  id: number;
  /** The cosine of both, -1 to 1. The level of similarity differs between models. */
  similarity: number;
}

/** Passages with the nearest codes, whose vectors are compared exactly. */
const rescored = 1000;

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
  const { id: generationId, dimension } = generation;
  const asked = toWords(signsOf(vector), dimension);
  const measured: Measured = {
    ids: new Uint32Array(visible.length),
    apart: new Uint16Array(visible.length),
    count: 0,
    next: 0,
  };
  // A million codes take 60 ms.
  const takeBreath = giveTurns();
  for await (const block of vectorMemoryOf(app).codesOf(app, generation)) {
    measure(measured, block, asked, visible);
    await takeBreath();
  }
  const chosen = leastApart(measured, rescored, dimension);
  const vectors = await readVectors(app, generationId, chosen);
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

/** Visible passages, and the number of sign differences between each vector and the asked one. */
interface Measured {
  ids: Uint32Array;
  apart: Uint16Array;
  count: number;
  /** The index of the next visible passage. */
  next: number;
}

/** Walks through a block and the visible passages in parallel. Blocks are ordered by passage. */
function measure(
  measured: Measured,
  { ids, codes }: CodeBlock,
  asked: Int32Array,
  visible: Uint32Array,
): void {
  // Local variables, because this is the innermost loop of a search.
  const { ids: found, apart } = measured;
  let { count, next } = measured;
  const words = asked.length;
  for (let row = 0; row < ids.length && next < visible.length; row++) {
    const id = ids[row] ?? 0;
    while (next < visible.length && (visible[next] ?? 0) < id) next++;
    if (visible[next] !== id) continue;
    found[count] = id;
    apart[count] = differing(codes, row * words, asked);
    count++;
  }
  measured.count = count;
  measured.next = next;
}

/** The number of differing bits. Three words are combined before counting, because counting is most of the work. */
function differing(codes: Int32Array, start: number, asked: Int32Array): number {
  let bits = 0;
  let at = 0;
  for (; at + 2 < asked.length; at += 3) {
    const one = (codes[start + at] ?? 0) ^ (asked[at] ?? 0);
    const two = (codes[start + at + 1] ?? 0) ^ (asked[at + 1] ?? 0);
    const three = (codes[start + at + 2] ?? 0) ^ (asked[at + 2] ?? 0);
    const either = one ^ two;
    bits += countOnes(either ^ three) + 2 * countOnes((one & two) | (either & three));
  }
  for (; at < asked.length; at++) bits += countOnes((codes[start + at] ?? 0) ^ (asked[at] ?? 0));
  return bits;
}

/** The passages with the fewest differences. Of equals, the lower id comes first, so that results are stable. */
function leastApart({ ids, apart, count }: Measured, limit: number, signs: number): number[] {
  const having = new Uint32Array(signs + 1);
  for (let at = 0; at < count; at++) having[apart[at] ?? 0] = (having[apart[at] ?? 0] ?? 0) + 1;
  let farthest = 0;
  let closer = 0;
  while (farthest <= signs && closer + (having[farthest] ?? 0) <= limit) {
    closer += having[farthest] ?? 0;
    farthest++;
  }
  let atEdge = limit - closer;
  const chosen: number[] = [];
  for (let at = 0; at < count; at++) {
    const bits = apart[at] ?? 0;
    if (bits < farthest || (bits === farthest && atEdge-- > 0)) chosen.push(ids[at] ?? 0);
  }
  return chosen;
}
