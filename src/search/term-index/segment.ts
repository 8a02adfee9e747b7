import { firstAtLeast } from '../../platform/first-at-least.js';
import type { TermFeatures } from '../../language/term-features.js';

/**
 * A segment of the term index: an inverted index of the stems in some passages of one organization. A segment never
 * changes. Its passages have slots in the order of their ids.
 */
export interface Segment {
  /** Undefined for passages that are not in a stored segment. */
  id: number | undefined;
  slots: Slots;
  /** Its term lists, if they are in memory. */
  lists: TermList[] | undefined;
}

/** The passages of a segment, by slot. */
export interface Slots {
  /** Numbers of passages, ascending. */
  ids: Uint32Array;
  /** Lengths in stems and in character 4-grams. */
  words: Uint32Array;
  grams: Uint32Array;
}

/** One part of all hashes, with the passages that hold them. A cold search reads only the lists that it needs. */
export interface TermList {
  /** Ascending. */
  hashes: Uint32Array;
  /** The end of each hash's postings, which begin at the previous hash's end. */
  ends: Uint32Array;
  /** Of each posting the slot, ascending for each hash, and how often that passage holds the hash. */
  slots: Uint16Array;
  counts: Uint8Array;
}

/** The postings of one hash: from `from` on, before `end`. A search has too many of them for arrays of their own. */
export interface HashPostings {
  list: TermList;
  from: number;
  end: number;
}

/** The most passages of a segment: a slot has 16 bits. */
export const mostSlots = 65_536;
/** The most passages that are built into a segment at once: their features hold memory, and the event loop. */
export const mostBuilt = 1024;
/** Higher counts are stored as this. Their BM25 weights differ by less than a twentieth. */
const mostCount = 15;
/** The lists of a built segment. Larger ones split each of them, in which a question needs but a few stems. */
export const coarseLists = 256;
export const mostLists = 2048;
/** The fewest passages of a segment that has the most lists. */
const leastSplit = mostSlots / 4;

/** The lists of a stored segment of so many passages. */
export function listsIn(passages: number): number {
  return passages < leastSplit ? coarseLists : mostLists;
}

/** The list with a hash, in a segment of so many lists. */
export function listOf(hash: number, lists: number): number {
  return Math.floor(hash / (2 ** 32 / lists));
}

export interface IndexedTerms {
  id: number;
  features: TermFeatures;
}

/** Builds a segment from at most `mostBuilt` passages, ordered by id. */
export function buildSegment(passages: readonly IndexedTerms[]): Segment & { lists: TermList[] } {
  const total = passages.reduce((sum, { features }) => sum + features.words.hashes.length, 0);
  // Sorted as numbers of 48 bits: hash, slot, count.
  const keys = new Float64Array(total);
  let at = 0;
  for (const [slot, { features }] of passages.entries()) {
    const { hashes, counts } = features.words;
    for (let index = 0; index < hashes.length; index++) {
      const count = Math.min(mostCount, counts[index] ?? 0);
      keys[at++] = (hashes[index] ?? 0) * 0x10000 + slot * 16 + count;
    }
  }
  keys.sort();
  const lists: TermList[] = [];
  for (let list = 0, from = 0; list < coarseLists; list++) {
    const end = firstAtLeast(keys, (list + 1) * 0x1000000 * 0x10000);
    lists.push(toList(keys.subarray(from, end)));
    from = end;
  }
  return {
    id: undefined,
    slots: {
      ids: Uint32Array.from(passages, ({ id }) => id),
      words: Uint32Array.from(passages, ({ features }) => features.words.length),
      grams: Uint32Array.from(passages, ({ features }) => features.grams.length),
    },
    lists,
  };
}

function toList(keys: Float64Array): TermList {
  const hashes: number[] = [];
  const ends: number[] = [];
  const slots = new Uint16Array(keys.length);
  const counts = new Uint8Array(keys.length);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? 0;
    const hash = Math.floor(key / 0x10000);
    if (hash !== hashes.at(-1)) {
      hashes.push(hash);
      ends.push(at);
    }
    const posting = key - hash * 0x10000;
    slots[at] = posting >>> 4;
    counts[at] = posting & 0xf;
    ends[ends.length - 1] = at + 1;
  }
  return { hashes: Uint32Array.from(hashes), ends: Uint32Array.from(ends), slots, counts };
}

/** The postings of a hash; undefined where no passage holds it. */
export function findPostings(list: TermList, hash: number): HashPostings | undefined {
  const { hashes, ends } = list;
  const at = firstAtLeast(hashes, hash);
  if (hashes[at] !== hash) return undefined;
  return { list, from: ends[at - 1] ?? 0, end: ends[at] ?? 0 };
}

/**
 * Little-endian: the number of hashes (uint32), the hashes and their ends (uint32 each), the slots (uint16 each), the
 * counts (uint8 each).
 */
export function encodeList({ hashes, ends, slots, counts }: TermList): Buffer {
  const head = Uint32Array.of(hashes.length);
  return Buffer.concat([head, hashes, ends, slots, counts].map(bytesOf));
}

export function decodeList(bytes: Uint8Array): TermList {
  // Copied once, so that the numbers are aligned for a Uint32Array.
  const { buffer } = new Uint8Array(bytes);
  const [number = 0] = new Uint32Array(buffer, 0, 1);
  const ends = new Uint32Array(buffer, 4 + 4 * number, number);
  const postings = ends.at(-1) ?? 0;
  const from = 4 + 8 * number;
  return {
    hashes: new Uint32Array(buffer, 4, number),
    ends,
    slots: new Uint16Array(buffer, from, postings),
    counts: new Uint8Array(buffer, from + 2 * postings, postings),
  };
}

/** Of a passage in the encoded slots. */
export const bytesOfSlot = 12;

/** Little-endian uint32s: the numbers, the lengths in stems, the lengths in grams. */
export function encodeSlots({ ids, words, grams }: Slots): Buffer {
  return Buffer.concat([ids, words, grams].map(bytesOf));
}

export function decodeSlots(bytes: Uint8Array): Slots {
  const { buffer } = new Uint8Array(bytes);
  const number = buffer.byteLength / bytesOfSlot;
  return {
    ids: new Uint32Array(buffer, 0, number),
    words: new Uint32Array(buffer, 4 * number, number),
    grams: new Uint32Array(buffer, 8 * number, number),
  };
}

function bytesOf({
  buffer,
  byteOffset,
  byteLength,
}: Uint32Array | Uint16Array | Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
