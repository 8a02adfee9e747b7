import { stemCeiling, stemDamping } from '../score-passage.js';
import type { StemGroup } from '../score-stems.js';
import type { Segment, StemIndex } from './stem-index.js';

export interface StemRanking {
  groups: readonly StemGroup[];
  /** Average length of a passage, in terms. */
  average: number;
  /** Slots wanted at most. */
  most: number;
  isVisible: (slot: number) => boolean;
}

/**
 * The visible passages whose stems score best, as the scorer of passages has it, by their slot: the best first, of
 * equals those that came first. Passages that hold none of the stems are none of them.
 */
export function rankByStems(index: StemIndex, ranking: StemRanking): number[] {
  const best = createBest(ranking.most);
  const largest = Math.max(0, ...index.segments.map(({ size }) => size));
  const work = {
    scores: new Float64Array(largest),
    ofGroup: new Float64Array(largest),
    dampings: new Float64Array(largest),
  };
  for (const segment of index.segments) {
    scoreSegment(segment, ranking, work);
    const { scores } = work;
    for (let slot = 0; slot < segment.size; slot++) {
      const score = scores[slot] ?? 0;
      if (score > best.least() && ranking.isVisible(segment.from + slot)) {
        best.add(segment.from + slot, score);
      }
    }
  }
  return best.slots();
}

interface Work {
  /** By slot within the segment. */
  scores: Float64Array;
  /** What the best form of the word at hand has added. */
  ofGroup: Float64Array;
  dampings: Float64Array;
}

function scoreSegment(
  { size, lengths, starts, postings }: Segment,
  { groups, average }: StemRanking,
  { scores, ofGroup, dampings }: Work,
): void {
  scores.fill(0, 0, size);
  for (let slot = 0; slot < size; slot++) dampings[slot] = stemDamping(lengths[slot] ?? 0, average);
  for (const { forms } of groups) {
    // Of a word's forms the best counts.
    const several = forms.length > 1;
    if (several) ofGroup.fill(0, 0, size);
    for (const { hash, weight } of forms) {
      const rest = (hash >>> 8) & 0xff;
      const scale = weight * stemCeiling;
      const end = starts[(hash >>> 16) + 1] ?? 0;
      for (let at = starts[hash >>> 16] ?? 0; at < end; at++) {
        const posting = postings[at] ?? 0;
        if (((posting >>> 8) & 0xff) !== rest) continue;
        const slot = posting >>> 16;
        const count = posting & 0xff;
        let gain = (scale * count) / (count + (dampings[slot] ?? 0));
        if (several) {
          const before = ofGroup[slot] ?? 0;
          if (gain <= before) continue;
          ofGroup[slot] = gain;
          gain -= before;
        }
        scores[slot] = (scores[slot] ?? 0) + gain;
      }
    }
  }
}

/** Keeps the best so many of scores that come in the order of their slots. */
function createBest(most: number) {
  let kept: { slot: number; score: number }[] = [];
  let least = 0;
  const prune = () => {
    // A stable sort: of equals those that came first stay.
    kept = kept.sort((a, b) => b.score - a.score).slice(0, most);
    if (kept.length === most) least = kept.at(-1)?.score ?? 0;
  };
  return {
    least: () => least,
    add(slot: number, score: number) {
      kept.push({ slot, score });
      if (kept.length >= 2 * most) prune();
    },
    slots() {
      prune();
      return kept.map(({ slot }) => slot);
    },
  };
}
