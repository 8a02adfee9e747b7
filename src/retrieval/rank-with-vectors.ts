import { fuseRankings } from './fuse-rankings.js';
import { standingOut } from './stand-out.js';
import type { NearPassage } from './vectors/vectors.repository.js';

/** A passage as full text has scored it. */
export interface WordScored {
  id: number;
  score: number;
  coverage: number;
  parts: { words: number; grams: number; place: number };
}

/** Where a passage stands in each ranking, from 1; null where it does not. */
export interface Ranks {
  wordRank: number | null;
  /** The cosine. */
  vector: number | null;
  vectorRank: number | null;
  /** How far the cosine stands out from those of the others found, 0 to 1. */
  standsOut: number | null;
}

/** Share of a cosine that belonging to the page adds to it: enough to decide between what is equally near. */
const placeShare = 0.1;
/** How far a passage that shares no word with the question must stand out to come before those that do. */
const leastStandingOut = 0.2;
/** How far the nearest passage stands out where the vectors count in full: those of a poor model tell little. */
const fullyTold = 0.4;

/**
 * Full text's ranking (best first) joined with the one by vectors; without vectors it stays as it is. Words count as
 * much as the best passage covers of the question: those of a question in another language are met by chance. Vectors
 * count as much as the nearest stands out. `found` are the passages that full text found: the others are there for
 * their vectors alone, and come last where these say next to nothing.
 */
export function rankWithVectors<P extends WordScored>(
  byWords: readonly P[],
  found: ReadonlySet<number>,
  near: readonly NearPassage[],
): (P & { ranks: Ranks })[] {
  const worded = byWords.filter(({ id }) => found.has(id));
  const wordRanks = ranksOf(worded);
  if (near.length === 0) {
    return worded.map((one) => ({ ...one, ranks: { ...none, wordRank: rankIn(wordRanks, one) } }));
  }
  const placeOf = new Map(byWords.map(({ id, parts }) => [id, parts.place]));
  const nearness = ({ id, similarity }: NearPassage) =>
    similarity * (1 + placeShare * (placeOf.get(id) ?? 0));
  const byVectors = near.toSorted((a, b) => nearness(b) - nearness(a) || a.id - b.id);
  const vectorRanks = ranksOf(byVectors);
  // Squared: what covers a tenth of a question says less than a tenth of what covers it all.
  const covered = Math.max(0, ...worded.map(({ coverage }) => coverage));
  const similarities = new Map(near.map(({ id, similarity }) => [id, similarity]));
  const told = standingOut([...similarities.values()]);
  const outOf = new Map(near.map(({ id, similarity }) => [id, told(similarity)]));
  const farthest = Math.max(0, ...outOf.values());
  const scores = fuseRankings([
    { ids: worded.map(({ id }) => id), weight: covered ** 2 },
    { ids: byVectors.map(({ id }) => id), weight: Math.min(1, farthest / fullyTold) },
  ]);
  const scoreOf = (id: number) =>
    found.has(id) || (outOf.get(id) ?? 0) >= leastStandingOut ? (scores.get(id) ?? 0) : 0;
  const lastRank = byVectors.length + 1;
  return byWords
    .map((one) => ({
      ...one,
      score: scoreOf(one.id),
      ranks: {
        wordRank: rankIn(wordRanks, one),
        vector: similarities.get(one.id) ?? null,
        vectorRank: rankIn(vectorRanks, one),
        standsOut: outOf.get(one.id) ?? null,
      },
    }))
    .sort(
      (a, b) =>
        b.score - a.score ||
        b.coverage - a.coverage ||
        (a.ranks.vectorRank ?? lastRank) - (b.ranks.vectorRank ?? lastRank) ||
        a.id - b.id,
    );
}

const none: Ranks = { wordRank: null, vector: null, vectorRank: null, standsOut: null };

function ranksOf(ranked: readonly { id: number }[]): Map<number, number> {
  return new Map(ranked.map(({ id }, index) => [id, index + 1]));
}

function rankIn(ranks: ReadonlyMap<number, number>, { id }: { id: number }): number | null {
  return ranks.get(id) ?? null;
}
