import type { WithDb } from '../../platform/app.js';
import { giveTurns } from '../../platform/workers/give-turns.js';
import { stemCeiling, stemDamping } from './score-passage.js';
import { readPostings } from '../term-index/postings.js';
import type { PassageIndex } from '../term-index/index-cache.js';
import type { Slots } from '../term-index/segment.js';
import {
  block,
  createScorer,
  openPostings,
  type RankedGroup,
  type StemGroup,
} from './score-segment.js';

/** A passage id with its score; a higher score is better. */
export interface ScoredPassage {
  id: number;
  score: number;
}

export interface StemRanking {
  groups: readonly StemGroup[];
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
  app: WithDb,
  index: PassageIndex,
  ranking: StemRanking,
): Promise<ScoredPassage[]> {
  const { most, among = new Uint32Array(0), every = false } = ranking;
  const { passages, words } = index.totals;
  const groups = byCeiling(ranking.groups);
  const hashes = groups.flatMap(({ forms }) => forms.map(({ hash }) => hash));
  const postings = await readPostings(app, index, hashes);
  const damping = stemDamping(words / Math.max(1, passages));
  const best = createBest(most);
  const named = createBest(most);
  const leastHeld = every ? groups.length : 1;
  let next = 0;
  const namedIn = ({ ids }: Slots) => {
    const slots: number[] = [];
    for (; (among[next] ?? Infinity) <= (ids.at(-1) ?? 0); next++) {
      const slot = ids.indexOf(among[next] ?? 0);
      if (slot !== -1) slots.push(slot);
    }
    return slots;
  };
  const scorer = createScorer(damping);
  const takeBreath = giveTurns();
  for (const [position, segment] of index.segments.entries()) {
    const { ids } = segment.slots;
    const open = () => openPostings(groups, (hash) => postings.get(hash)?.[position]);
    const opened = open();
    for (let from = 0; from < ids.length; from += block) {
      const end = Math.min(ids.length, from + block);
      const least = every ? 0 : best.least();
      scorer.score(opened, segment, { from, end, least }, (slot, score, held) => {
        if (held >= leastHeld) best.add(ids[slot] ?? 0, score);
      });
    }
    const only = namedIn(segment.slots);
    if (only.length > 0) {
      scorer.score(open(), segment, { from: 0, end: ids.length, least: 0, only }, (slot, score) =>
        named.add(ids[slot] ?? 0, score),
      );
    }
    await takeBreath();
  }
  const found = new Map([...best.passages(), ...named.passages()].map((one) => [one.id, one]));
  return [...found.values()];
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
