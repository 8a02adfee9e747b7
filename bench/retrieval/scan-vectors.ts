import type { App } from '../../src/platform/app.js';

/** Vectors in the memory of this process, one after the other. */
export interface LoadedVectors {
  dimension: number;
  ids: number[];
  floats: Float32Array;
  /** The same in 255 steps, all on one scale. */
  bytes: Int8Array;
  scale: number;
  /** A bit for each number: whether it is above zero. */
  signs: Uint32Array;
}

/** Vectors that are compared exactly after their signs. */
const rescored = 1000;

const rowsAtOnce = 5000;

export async function loadVectors(
  app: Pick<App, 'db'>,
  generationId: number,
  dimension: number,
): Promise<LoadedVectors> {
  const ids: number[] = [];
  const parts: Float32Array[] = [];
  for (let last = 0, more = true; more;) {
    const rows: { passage_id: number; vector: Buffer }[] = await app.db
      .read('passage_vectors')
      .where({ generation_id: generationId })
      .where('passage_id', '>', last)
      .orderBy('passage_id')
      .limit(rowsAtOnce)
      .select('passage_id', 'vector');
    for (const { passage_id, vector } of rows) {
      ids.push(passage_id);
      parts.push(new Float32Array(new Uint8Array(vector).buffer));
    }
    last = ids.at(-1) ?? last;
    more = rows.length > 0;
  }
  const floats = new Float32Array(ids.length * dimension);
  parts.forEach((part, index) => floats.set(part, index * dimension));
  const greatest = floats.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = 127 / greatest;
  const bytes = Int8Array.from(floats, (value) => Math.round(value * scale));
  return { dimension, ids, floats, bytes, scale, signs: signsOf(floats) };
}

export function scanFloats(loaded: LoadedVectors, vector: Float32Array, limit: number): number[] {
  return nearest(loaded.ids, dots(loaded.floats, vector), limit);
}

export function scanBytes(loaded: LoadedVectors, vector: Float32Array, limit: number): number[] {
  const bytes = Int8Array.from(vector, (value) => Math.round(value * loaded.scale));
  return nearest(loaded.ids, dots(loaded.bytes, bytes), limit);
}

/** What the product does, in memory: the signs of all, and the vectors of those that share most of them. */
export function scanSigns(loaded: LoadedVectors, vector: Float32Array, limit: number): number[] {
  const { dimension, floats, signs } = loaded;
  const asked = signsOf(vector);
  const words = asked.length;
  const apart = new Int32Array(loaded.ids.length);
  for (let row = 0, start = 0; row < apart.length; row += 1, start += words) {
    let bits = 0;
    for (let at = 0; at < words; at += 1) bits += ones((signs[start + at] ?? 0) ^ (asked[at] ?? 0));
    apart[row] = bits;
  }
  const most = apart.toSorted()[rescored] ?? dimension;
  const rows: number[] = [];
  apart.forEach((bits, row) => {
    if (bits <= most && rows.length < rescored) rows.push(row);
  });
  const near = rows.map((row) => floats.subarray(row * dimension, (row + 1) * dimension));
  const sums = Float64Array.from(near, (one) => dots(one, vector)[0] ?? 0);
  return nearest(
    rows.map((row) => loaded.ids[row] ?? 0),
    sums,
    limit,
  );
}

function signsOf(values: Float32Array): Uint32Array {
  const signs = new Uint32Array(values.length / 32);
  values.forEach((value, index) => {
    if (value > 0) signs[index >> 5] = (signs[index >> 5] ?? 0) | (1 << (index & 31));
  });
  return signs;
}

/** Bits that are set (Hacker's Delight, figure 5-2). */
function ones(bits: number): number {
  let sum = bits - ((bits >>> 1) & 0x55555555);
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333);
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Four sums at a time: as fast as plain JavaScript gets. */
function dots<A extends Float32Array | Int8Array>(all: A, one: A): Float64Array {
  const { length } = one;
  const sums = new Float64Array(all.length / length);
  for (let row = 0, start = 0; row < sums.length; row += 1, start += length) {
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let at = 0; at < length; at += 4) {
      a += (all[start + at] ?? 0) * (one[at] ?? 0);
      b += (all[start + at + 1] ?? 0) * (one[at + 1] ?? 0);
      c += (all[start + at + 2] ?? 0) * (one[at + 2] ?? 0);
      d += (all[start + at + 3] ?? 0) * (one[at + 3] ?? 0);
    }
    sums[row] = a + b + c + d;
  }
  return sums;
}

function nearest(ids: number[], sums: Float64Array, limit: number): number[] {
  const least = sums.toSorted().at(-limit) ?? 0;
  return ids.filter((_, index) => (sums[index] ?? 0) >= least).slice(0, limit);
}
