import type { Language } from '../../language/language-pack.js';
import type { NearPassage } from '../vectors/nearest-passages.js';
import type { NearPassages } from '../vectors/search-vectors.js';

/** A passage as full text has scored it. */
export interface WordScored {
  id: number;
  /** As a share of the best that there can be; somewhat above 1 with what is added for language and place. */
  score: number;
  coverage: number;
  language: Language;
  bonus: { place: number };
}

/** Where a passage stands by words and by vectors, from 1; null where it does not. */
export interface Ranks {
  wordRank: number | null;
  /** The cosine. */
  vector: number | null;
  vectorRank: number | null;
  /** How far the cosine stands out from those of the others found, 0 to 1. */
  standsOut: number | null;
  /** What standing out by 1 adds to the score: how far the vectors of the passage's language are trusted. */
  trust: number | null;
  /** Whether that trust was measured on enough passages of the language. */
  judged: boolean;
}

/** Share of a cosine that belonging to the page adds to it: enough to decide between what is equally near. */
const placeShare = 0.1;

/**
 * Full text's scores (best first) joined with nearness by vectors; without vectors the order stays as it is. Words count
 * as much as the best passage covers of the question: those of a question in another language are met by chance.
 * Vectors count as much as they are trusted, and as far as a passage stands out among the nearest. `found` are the
 * passages that full text found: the others are there for their vectors alone.
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
    return worded.map((one) => ({ ...one, ranks: { ...none, wordRank: rankIn(wordRanks, one) } }));
  }
  const nearness = ({ id, similarity }: NearPassage) =>
    similarity * (1 + placeShare * (byId.get(id)?.bonus.place ?? 0));
  const byVectors = trusted.toSorted((a, b) => nearness(b) - nearness(a) || a.id - b.id);
  const vectorRanks = ranksOf(byVectors);
  // Those of languages that are not trusted tell all the same what is usual.
  const told = standingOut(near.map(({ similarity }) => similarity));
  const nearById = new Map(trusted.map((one) => [one.id, one]));
  // Squared: what covers a tenth of a question says less than a tenth of what covers it all.
  const covered = Math.max(0, ...worded.map(({ coverage }) => coverage)) ** 2;
  const lastRank = byVectors.length + 1;
  return byWords
    .filter(({ id }) => found.has(id) || nearById.has(id))
    .map((one) => {
      const itsNear = nearById.get(one.id);
      const meaning = itsNear === undefined ? 0 : trustOf(one) * told(nearness(itsNear));
      const vector = itsNear?.similarity ?? null;
      return {
        ...one,
        score: covered * one.score + meaning,
        ranks: {
          wordRank: rankIn(wordRanks, one),
          vector,
          vectorRank: rankIn(vectorRanks, one),
          standsOut: vector === null ? null : told(vector),
          trust: vector === null ? null : trustOf(one),
          judged: vector !== null && isJudged(one.language),
        },
      };
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

/** What is left between the usual cosine and 1, at least: within a smaller gap all differences are chance. */
const leastGap = 0.2;

/**
 * How far a cosine stands out from those found with it, 0 to 1. What a cosine of 0.7 says differs from model to model
 * and from question to question: some give 0.7 to any two texts. But of the passages nearest to a question most do not
 * answer it, so what the middle one has is what comes by chance. Nothing stands out alone.
 */
function standingOut(similarities: readonly number[]): (similarity: number) => number {
  const sorted = similarities.toSorted((a, b) => a - b);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)];
  if (sorted.length < 2 || usual === undefined) return () => 0;
  const gap = Math.max(leastGap, 1 - usual);
  return (similarity) => Math.min(1, Math.max(0, (similarity - usual) / gap));
}
