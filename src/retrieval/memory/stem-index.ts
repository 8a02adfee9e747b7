/**
 * The stems of all passages, turned about: for each stem the passages that hold it. It answers in a millisecond or two
 * which passages hold most of a question, where SQLite takes that long for each of its words.
 *
 * Passages have slots, in the order in which they came. A segment has those of some thousands: a bucket for the upper 16
 * bits of a stem's code, in which stand its passages, each as one uint32: slot within the segment (16 bits), the rest
 * of the code (8 bits), count (8 bits).
 */
export interface StemIndex {
  segments: Segment[];
  /** Of the last segment, as they came: it is built anew when further ones come. */
  open: Uint32Array[];
  passages: number;
  postings: number;
}

export interface Segment {
  /** The slot of its first passage. */
  from: number;
  size: number;
  /** In terms, by slot within the segment. */
  lengths: Uint32Array;
  /** Where each bucket begins in `postings`, and where the last one ends. */
  starts: Uint32Array;
  postings: Uint32Array;
}

/** Passages of one. Building it takes some 5 ms, in which nobody else is served. */
export const mostInSegment = 4096;
const buckets = 1 << 16;

export function createStemIndex(): StemIndex {
  return { segments: [], open: [], passages: 0, postings: 0 };
}

/** Adds passages in the order of their slots; each as `encodeStems` has it: its length in terms, then its stems. */
export function addStems(index: StemIndex, passages: readonly Uint32Array[]): void {
  let at = 0;
  while (at < passages.length) {
    const isNew = index.open.length === 0;
    const taken = passages.slice(at, at + mostInSegment - index.open.length);
    index.open.push(...taken);
    at += taken.length;
    index.passages += taken.length;
    for (const stems of taken) index.postings += stems.length - 1;
    if (!isNew) index.segments.pop();
    index.segments.push(buildSegment(index.open, index.passages - index.open.length));
    if (index.open.length === mostInSegment) index.open = [];
  }
}

function buildSegment(passages: readonly Uint32Array[], from: number): Segment {
  const starts = new Uint32Array(buckets + 1);
  const lengths = Uint32Array.from(passages, (stems) => stems[0] ?? 0);
  let number = 0;
  for (const stems of passages) {
    number += stems.length - 1;
    for (let at = 1; at < stems.length; at++) {
      const bucket = (stems[at] ?? 0) >>> 16;
      starts[bucket] = (starts[bucket] ?? 0) + 1;
    }
  }
  // First the end of each bucket; each posting, from the last to the first, then moves it one towards its beginning.
  for (let bucket = 1; bucket <= buckets; bucket++) {
    starts[bucket] = (starts[bucket] ?? 0) + (starts[bucket - 1] ?? 0);
  }
  const postings = new Uint32Array(number);
  for (let slot = passages.length - 1; slot >= 0; slot--) {
    const stems = passages[slot] ?? new Uint32Array(0);
    for (let at = 1; at < stems.length; at++) {
      const stem = stems[at] ?? 0;
      const place = (starts[stem >>> 16] ?? 0) - 1;
      starts[stem >>> 16] = place;
      postings[place] = (slot << 16) | (stem & 0xffff);
    }
  }
  return { from, size: passages.length, lengths, starts, postings };
}

/** How many passages hold a stem, of those that `counts`. Some stems are taken for one: their hashes begin alike. */
export function countHolding(
  index: StemIndex,
  hash: number,
  counts: (slot: number) => boolean,
): number {
  const rest = (hash >>> 8) & 0xff;
  let count = 0;
  for (const { from, starts, postings } of index.segments) {
    const end = starts[(hash >>> 16) + 1] ?? 0;
    for (let at = starts[hash >>> 16] ?? 0; at < end; at++) {
      const posting = postings[at] ?? 0;
      if (((posting >>> 8) & 0xff) === rest && counts(from + (posting >>> 16))) count++;
    }
  }
  return count;
}
