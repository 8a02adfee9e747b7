import { fuseRankings } from './fuse-rankings.js';
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
}

/** Share of a cosine that belonging to the page adds to it: enough to decide between what is equally near. */
const placeShare = 0.1;

/**
 * Full text's ranking (best first) joined with the one by vectors; without vectors it stays as it is. Words count as
 * much as the best passage covers of the question: those of a question in another language are met by chance. `found`
 * are the passages that full text found: the others are there for their vectors alone.
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
  const scores = fuseRankings([
    { ids: worded.map(({ id }) => id), weight: covered ** 2 },
    { ids: byVectors.map(({ id }) => id), weight: 1 },
  ]);
  const similarities = new Map(near.map(({ id, similarity }) => [id, similarity]));
  return byWords
    .map((one) => ({
      ...one,
      score: scores.get(one.id) ?? 0,
      ranks: {
        wordRank: rankIn(wordRanks, one),
        vector: similarities.get(one.id) ?? null,
        vectorRank: rankIn(vectorRanks, one),
      },
    }))
    .sort((a, b) => b.score - a.score || b.coverage - a.coverage || a.id - b.id);
}

const none: Ranks = { wordRank: null, vector: null, vectorRank: null };

function ranksOf(ranked: readonly { id: number }[]): Map<number, number> {
  return new Map(ranked.map(({ id }, index) => [id, index + 1]));
}

function rankIn(ranks: ReadonlyMap<number, number>, { id }: { id: number }): number | null {
  return ranks.get(id) ?? null;
}
