import type { ScoredPassage } from '../platform/db/dialect.js';
import { stemCeiling, stemDamping } from './score-passage.js';
import type { Postings } from './term-index/postings.js';
import type { PassageIndex, VisibleSegment } from './term-index/index-cache.js';
import { countIn, slotOf } from './term-index/segment.js';

/** Forms of which the best counts: those of one word of the question. */
export interface StemGroup {
  forms: readonly { hash: number; weight: number }[];
}

export interface StemRanking {
  groups: readonly StemGroup[];
  postings: Postings;
  /** Passages wanted at most. */
  most: number;
  /** Passages, by their number, of which as many are wanted again, whatever the others score; ascending. */
  among?: Uint32Array;
  /** Whether a passage must hold a form of every group; else of any. */
  every?: boolean;
}

/**
 * The passages whose stems score best by BM25, exactly: of all that the index sees, and of those among them that are
 * named. Of equals those come first that were stored first. Passages with none of the stems are left out.
 */
export function bestPassages(index: PassageIndex, ranking: StemRanking): ScoredPassage[] {
  const { groups, postings, most, among = new Uint32Array(0), every = false } = ranking;
  const { passages, words } = index.totals;
  const average = words / Math.max(1, passages);
  const best = createBest(most);
  const named = createBest(most);
  const largest = Math.max(0, ...index.segments.map(({ visible }) => visible.length));
  const work = {
    scores: new Float64Array(largest),
    ofGroup: new Float64Array(largest),
    dampings: new Float64Array(largest),
    held: new Uint8Array(largest),
  };
  const leastHeld = every ? groups.length : 1;
  let next = 0;
  for (const [position, segment] of index.segments.entries()) {
    const of = (hash: number) => postings.get(hash)?.[position];
    scoreSegment(segment, groups, of, average, work);
    const { ids } = segment.slots;
    for (let slot = 0; slot < ids.length; slot++) {
      if ((work.held[slot] ?? 0) < leastHeld || segment.visible[slot] === 0) continue;
      const id = ids[slot] ?? 0;
      const score = work.scores[slot] ?? 0;
      best.add(id, score);
      while ((among[next] ?? Infinity) < id) next++;
      if (among[next] === id) named.add(id, score);
    }
  }
  const found = new Map([...best.passages(), ...named.passages()].map((one) => [one.id, one]));
  return [...found.values()];
}

interface Work {
  /** By slot. */
  scores: Float64Array;
  /** What the best form of the word at hand has added. */
  ofGroup: Float64Array;
  dampings: Float64Array;
  /** Words of which it holds a form, 255 at most. */
  held: Uint8Array;
}

function scoreSegment(
  { slots }: VisibleSegment,
  groups: readonly StemGroup[],
  postingsOf: (hash: number) => Uint16Array | undefined,
  average: number,
  { scores, ofGroup, dampings, held }: Work,
): void {
  const size = slots.ids.length;
  scores.fill(0, 0, size);
  held.fill(0, 0, size);
  for (let slot = 0; slot < size; slot++) {
    dampings[slot] = stemDamping(slots.words[slot] ?? 0, average);
  }
  for (const { forms } of groups) {
    // Of a word's forms the best counts.
    ofGroup.fill(0, 0, size);
    for (const { hash, weight } of forms) {
      const own = postingsOf(hash);
      if (own === undefined) continue;
      const scale = weight * stemCeiling;
      for (let at = 0; at < own.length; at++) {
        const posting = own[at] ?? 0;
        const slot = slotOf(posting);
        const count = countIn(posting);
        const gain = (scale * count) / (count + (dampings[slot] ?? 0));
        const before = ofGroup[slot] ?? 0;
        if (gain <= before) continue;
        if (before === 0) held[slot] = (held[slot] ?? 0) + 1;
        ofGroup[slot] = gain;
        scores[slot] = (scores[slot] ?? 0) + gain - before;
      }
    }
  }
}

/** Keeps the best of scores that come in the order of the passages. */
function createBest(most: number) {
  let kept: ScoredPassage[] = [];
  let least = 0;
  const prune = () => {
    // A stable sort: of equals those that came first stay.
    kept = kept.sort((a, b) => b.score - a.score).slice(0, most);
    if (kept.length === most) least = kept.at(-1)?.score ?? 0;
  };
  return {
    add(id: number, score: number) {
      if (score <= least) return;
      kept.push({ id, score });
      if (kept.length >= 2 * most) prune();
    },
    passages() {
      prune();
      return kept;
    },
  };
}
