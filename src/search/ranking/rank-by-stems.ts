import { giveTurns } from '../../platform/workers/give-turns.js';
import { stemCeiling, stemDamping } from './score-passage.js';
import type { Postings } from '../term-index/postings.js';
import type { PassageIndex, VisibleSegment } from '../term-index/index-cache.js';
import { mostSlots, type HashPostings } from '../term-index/segment.js';

/** A passage id with its score; a higher score is better. */
export interface ScoredPassage {
  id: number;
  score: number;
}

/** The forms of one word of the question. The best matching form counts. */
export interface StemGroup {
  forms: readonly { hash: number; weight: number }[];
}

export interface StemRanking {
  groups: readonly StemGroup[];
  postings: Postings;
  /** The most passages to return. */
  most: number;
  /** Passages (ids, ascending) from which the same number is returned in addition. */
  among?: Uint32Array;
  /** True when a passage must hold a form of every group, instead of any. */
  every?: boolean;
}

/**
 * The passages with the best BM25 scores of their stems, computed exactly: of all visible ones, and of those in
 * `among`. Equal passages keep the order of storage. Passages without any stem are left out.
 */
export async function bestPassages(
  index: PassageIndex,
  ranking: StemRanking,
): Promise<ScoredPassage[]> {
  const { postings, most, among = new Uint32Array(0), every = false } = ranking;
  const { passages, words } = index.totals;
  const groups = byCeiling(ranking.groups);
  const damping = stemDamping(words / Math.max(1, passages));
  const best = createBest(most);
  const named = createBest(most);
  const leastHeld = every ? groups.length : 1;
  const scorer = createSegmentScorer(groups, damping);
  const takeBreath = giveTurns();
  let next = 0;
  for (const [position, segment] of index.segments.entries()) {
    const { ids } = segment.slots;
    while ((among[next] ?? Infinity) < (ids[0] ?? 0)) next++;
    const holdsNamed = (among[next] ?? Infinity) <= (ids.at(-1) ?? 0);
    const of = (hash: number) => postings.get(hash)?.[position];
    const slots = scorer.score(segment, of, holdsNamed || every ? 0 : best.least());
    for (const slot of slots) {
      if ((scorer.held[slot] ?? 0) < leastHeld) continue;
      const id = ids[slot] ?? 0;
      const score = scorer.scores[slot] ?? 0;
      best.add(id, score);
      while ((among[next] ?? Infinity) < id) next++;
      if (among[next] === id) named.add(id, score);
    }
    await takeBreath();
  }
  const found = new Map([...best.passages(), ...named.passages()].map((one) => [one.id, one]));
  return [...found.values()];
}

interface RankedGroup extends StemGroup {
  /** The most that the group adds to a score, and the most that all later groups add. */
  ceiling: number;
  rest: number;
}

/** The rarest first, so that function words are looked up only where they can matter. */
function byCeiling(groups: readonly StemGroup[]): RankedGroup[] {
  const ranked = groups
    .map(({ forms }): RankedGroup => {
      const ceiling = stemCeiling * Math.max(0, ...forms.map(({ weight }) => weight));
      return { forms, ceiling, rest: 0 };
    })
    .sort((a, b) => b.ceiling - a.ceiling);
  let rest = 0;
  for (const group of ranked.toReversed()) {
    group.rest = rest;
    rest += group.ceiling;
  }
  return ranked;
}

/** Scores the passages of a segment, by slot. The result is valid until the next segment. */
function createSegmentScorer(
  groups: readonly RankedGroup[],
  damping: { base: number; slope: number },
) {
  const scores = new Float64Array(mostSlots);
  /** The number of words with a form in the passage, at most 255. */
  const held = new Uint8Array(mostSlots);
  /** The contribution of the current word's best form. */
  const ofGroup = new Float64Array(mostSlots);
  const touched = new Uint16Array(mostSlots);
  let touchedNumber = 0;

  const gainOf = (count: number, scale: number, length: number) => {
    return (scale * count) / (count + damping.base + damping.slope * length);
  };
  const add = (slot: number, gain: number) => {
    const before = ofGroup[slot] ?? 0;
    if (gain <= before) return;
    if (before === 0) {
      if (held[slot] === 0) touched[touchedNumber++] = slot;
      held[slot] = Math.min(255, (held[slot] ?? 0) + 1);
    }
    ofGroup[slot] = gain;
    scores[slot] = (scores[slot] ?? 0) + gain - before;
  };

  return {
    scores,
    held,
    /** The visible slots with a stem, ascending. Some slots that score at most `least` are included. */
    score(
      { slots: { words }, visible }: VisibleSegment,
      postingsOf: (hash: number) => HashPostings | undefined,
      least: number,
    ): Uint16Array {
      scores.fill(0, 0, words.length);
      held.fill(0, 0, words.length);
      touchedNumber = 0;
      let within: Uint16Array | undefined;
      for (const { forms, ceiling, rest } of groups) {
        const own = forms.flatMap(({ hash, weight }) => {
          const postings = postingsOf(hash);
          return postings === undefined ? [] : [{ postings, scale: weight * stemCeiling }];
        });
        // Passages without any earlier word can no longer be among the best.
        if (within === undefined && ceiling + rest <= least)
          within = touched.slice(0, touchedNumber);
        within = within?.filter((slot) => (scores[slot] ?? 0) + ceiling + rest > least);
        for (const { postings, scale } of own) {
          const { slots, counts } = postings.list;
          if (within === undefined) {
            for (let at = postings.from; at < postings.end; at++) {
              const slot = slots[at] ?? 0;
              add(slot, gainOf(counts[at] ?? 0, scale, words[slot] ?? 0));
            }
          } else {
            for (const slot of within) {
              const count = countOf(postings, slot);
              if (count > 0) add(slot, gainOf(count, scale, words[slot] ?? 0));
            }
          }
        }
        if (within === undefined) {
          // Most words are rare: zeros in all slots would take longer than their scores.
          for (const { postings } of own) {
            const { slots } = postings.list;
            for (let at = postings.from; at < postings.end; at++) ofGroup[slots[at] ?? 0] = 0;
          }
        } else for (const slot of within) ofGroup[slot] = 0;
      }
      return (within ?? touched.slice(0, touchedNumber))
        .filter((slot) => visible[slot] === 1)
        .sort();
    },
  };
}

/** How often a passage holds the hash, found by bisection; 0 for a slot without it. */
function countOf({ list: { slots, counts }, from, end }: HashPostings, slot: number): number {
  let low = from;
  let high = end - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = slots[middle] ?? 0;
    if (found === slot) return counts[middle] ?? 0;
    if (found < slot) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

/** Keeps the best scores; they arrive in the order of the passages. */
function createBest(most: number) {
  let kept: ScoredPassage[] = [];
  let least = 0;
  const prune = () => {
    // The sort is stable: the first of equals stay.
    kept = kept.sort((a, b) => b.score - a.score).slice(0, most);
    if (kept.length === most) least = kept.at(-1)?.score ?? 0;
  };
  return {
    add(id: number, score: number) {
      if (score <= least) return;
      kept.push({ id, score });
      if (kept.length >= 2 * most) prune();
    },
    /** Only a higher score is kept. */
    least() {
      if (kept.length >= most) prune();
      return least;
    },
    passages() {
      prune();
      return kept;
    },
  };
}
