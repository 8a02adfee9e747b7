import type { Language } from '../../language/language-pack.js';
import { extended } from '../../platform/extended.js';
import type { NearPassage } from '../vectors/nearest-passages.js';
import type { NearPassages } from '../vectors/search-vectors.js';

/** A passage with its full-text score. */
export interface WordScored {
  id: number;
  /** A share of the best possible score; language and place bonuses can raise it slightly above 1. */
  score: number;
  coverage: number;
  language: Language;
  bonus: { place: number };
}

/** The ranks of a passage by words and by vectors, from 1; null when it has none. */
export interface Ranks {
  wordRank: number | null;
  /** The cosine. */
  vector: number | null;
  vectorRank: number | null;
  /** How far the cosine stands out from those of the other found passages, 0 to 1. */
  standsOut: number | null;
  /** The bonus for standing out by 1: the trust in vectors of the passage's language. */
  trust: number | null;
  /** True when that trust was measured on enough passages of the language. */
  judged: boolean;
}

/** The page bonus as a share of the cosine: enough to decide between equally near passages. */
const placeShare = 0.1;

/**
 * Combines full-text scores (best first) with vector similarity. Without vectors the order stays unchanged. Words count
 * as much as the best passage covers of the question: for a question in another language, words match only by chance.
 * Vectors count by their trust, and by how far a passage stands out among the nearest. `found` are the passages of the
 * full-text search; the others come from vectors alone.
 */
export function fuseScores<P extends WordScored>(
  byWords: readonly P[],
  found: ReadonlySet<number>,
  { near, trust, isJudged }: NearPassages,
): (P & { ranks: Ranks })[] {
  const worded = byWords.filter(({ id }) => found.has(id));
  const wordRanks = ranksOf(worded);
  const byId = new Map(byWords.map((one) => [one.id, one]));
  const trustOf = ({ id }: { id: number }) => trust(byId.get(id)?.language ?? 'other');
  const trusted = near.filter((one) => byId.has(one.id) && trustOf(one) > 0);
  if (trusted.length === 0) {
    return worded.map((one) =>
      extended(one, { ranks: extended(none, { wordRank: rankIn(wordRanks, one) }) }),
    );
  }
  const nearness = ({ id, similarity }: NearPassage) =>
    similarity * (1 + placeShare * (byId.get(id)?.bonus.place ?? 0));
  const byVectors = trusted.toSorted((a, b) => nearness(b) - nearness(a) || a.id - b.id);
  const vectorRanks = ranksOf(byVectors);
  // Even untrusted languages show what is usual.
  const told = standingOut(near.map(({ similarity }) => similarity));
  const nearById = new Map(trusted.map((one) => [one.id, one]));
  // Squared: covering a tenth of a question means less than a tenth of covering it all.
  const covered = Math.max(0, ...worded.map(({ coverage }) => coverage)) ** 2;
  const lastRank = byVectors.length + 1;
  return byWords
    .filter(({ id }) => found.has(id) || nearById.has(id))
    .map((one) => {
      const itsNear = nearById.get(one.id);
      const meaning = itsNear === undefined ? 0 : trustOf(one) * told(nearness(itsNear));
      const vector = itsNear?.similarity ?? null;
      return extended(one, {
        score: covered * one.score + meaning,
        ranks: {
          wordRank: rankIn(wordRanks, one),
          vector,
          vectorRank: rankIn(vectorRanks, one),
          standsOut: vector === null ? null : told(vector),
          trust: vector === null ? null : trustOf(one),
          judged: vector !== null && isJudged(one.language),
        },
      });
    })
    .sort(
      (a, b) =>
        b.score - a.score ||
        b.coverage - a.coverage ||
        (a.ranks.vectorRank ?? lastRank) - (b.ranks.vectorRank ?? lastRank) ||
        a.id - b.id,
    );
}

const none: Ranks = {
  wordRank: null,
  vector: null,
  vectorRank: null,
  standsOut: null,
  trust: null,
  judged: false,
};

function ranksOf(ranked: readonly { id: number }[]): Map<number, number> {
  return new Map(ranked.map(({ id }, index) => [id, index + 1]));
}

function rankIn(ranks: ReadonlyMap<number, number>, { id }: { id: number }): number | null {
  return ranks.get(id) ?? null;
}

/** The least distance between the usual cosine and 1: differences within a smaller gap are chance. */
const leastGap = 0.2;

/**
 * How far a cosine stands out among the found ones, from 0 to 1. The meaning of a cosine of 0.7 differs between models
 * and questions: some models give 0.7 to any two texts. Most of the passages nearest to a question do not answer it, so
 * the median is the level of chance. A single cosine never stands out.
 */
function standingOut(similarities: readonly number[]): (similarity: number) => number {
  const sorted = similarities.toSorted((a, b) => a - b);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)];
  if (sorted.length < 2 || usual === undefined) return () => 0;
  const gap = Math.max(leastGap, 1 - usual);
  return (similarity) => Math.min(1, Math.max(0, (similarity - usual) / gap));
}
