import type { App } from '../../platform/app.js';
import { giveTurns } from '../../platform/workers/give-turns.js';
import type { Generation } from './generation.js';
import { codesAtOnce, type CodeMeter } from './code-meter.js';
import { signsOf, toWords } from './vector-code.js';
import { vectorMemoryOf } from './vector-memory.js';
import { readVectors, type CodeBlock } from './vectors.repository.js';

export interface NearPassage {
  id: number;
  /** The cosine of both, -1 to 1. The level of similarity differs between models. */
  similarity: number;
}

/**
 * Passages with the nearest codes, whose vectors are compared exactly: among more passages, more have codes as near as
 * those of the ten nearest.
 */
const rescored = { least: 1000, share: 1 / 500 };

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
  const memory = vectorMemoryOf(app);
  const meter = memory.meterFor(dimension);
  const asked = toWords(signsOf(vector), dimension);
  const measured: Measured = {
    ids: new Uint32Array(visible.length),
    apart: new Uint16Array(visible.length),
    count: 0,
    next: 0,
    rows: new Uint16Array(codesAtOnce),
  };
  // A million codes take 20 to 30 ms.
  const takeBreath = giveTurns();
  for await (const block of memory.codesOf(app, generation)) {
    // Another search may have used it meanwhile.
    meter.asked.set(asked);
    measure(measured, block, meter, visible);
    await takeBreath();
  }
  const most = Math.max(rescored.least, Math.ceil(measured.count * rescored.share));
  const chosen = leastApart(measured, most, dimension);
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
  rows: Uint16Array;
}

/** A copy of all codes is faster than copies of some, if more than this share of them is visible. */
const manyVisible = 1 / 8;

/** Walks through a block and the visible passages in parallel. Blocks are ordered by passage. */
function measure(
  measured: Measured,
  { ids, codes }: CodeBlock,
  meter: CodeMeter,
  visible: Uint32Array,
): void {
  const words = meter.asked.length;
  const { apart } = measured;
  for (let from = 0; from < ids.length; from += codesAtOnce) {
    const end = Math.min(ids.length, from + codesAtOnce);
    const first = measured.count;
    const rows = findRows(measured, ids, { from, end }, visible);
    if (rows.length > (end - from) * manyVisible) {
      meter.codes.set(codes.subarray(from * words, end * words));
      const counts = meter.measure(end - from);
      for (let at = 0; at < rows.length; at++) apart[first + at] = counts[rows[at] ?? 0] ?? 0;
    } else {
      for (const [at, row] of rows.entries()) {
        const start = (from + row) * words;
        meter.codes.set(codes.subarray(start, start + words), at * words);
      }
      apart.set(meter.measure(rows.length), first);
    }
  }
}

/** The visible rows of a part of a block, from its first one on; notes their passages. Valid until the next call. */
function findRows(
  measured: Measured,
  ids: Uint32Array,
  { from, end }: { from: number; end: number },
  visible: Uint32Array,
): Uint16Array {
  let { count, next } = measured;
  let number = 0;
  for (let row = from; row < end && next < visible.length; row++) {
    const id = ids[row] ?? 0;
    while (next < visible.length && (visible[next] ?? 0) < id) next++;
    if (visible[next] !== id) continue;
    measured.ids[count++] = id;
    measured.rows[number++] = row - from;
  }
  measured.count = count;
  measured.next = next;
  return measured.rows.subarray(0, number);
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
