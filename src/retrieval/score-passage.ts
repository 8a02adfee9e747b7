import { countOf, type TermCounts, type TermFeatures } from '../platform/text/term-features.js';
import type { Totals } from './term-index/open-index.js';
import { guessedShare, rarity, shareOf, type ScoredTerm } from './weigh-terms.js';

/** What a passage has of a question. The scores compare within one search alone. */
export interface PassageScore {
  /** BM25 over stems. */
  words: number;
  /** BM25 over the 4-grams of the question's words, each as rare as its word. */
  grams: number;
  /** Share of the question's weight whose words stand in the passage or its title, 0 to 1. */
  coverage: number;
}

/** BM25's saturation and its normalisation by length, as they did best over three languages (docs/answers.md). */
const bm25 = { words: { k1: 1.2, b: 0.6 }, grams: { k1: 1.2, b: 0.75 } };
/** What a word counts that stands in the passage as a part of another word only. */
const compoundShare = 0.6;
/** Letters that a word must have for its parts to tell anything. */
const shortestPart = 5;
/** Share of the grams within a word that must stand in the passage for the word to be a part of one there. */
const gramsOfPart = 0.8;

export interface Scorer {
  score: (features: TermFeatures) => PassageScore;
  /** What a passage of average length would score that holds each word once. */
  full: { words: number; grams: number };
}

/** Scores the passages of one search. */
export function createScorer(terms: ScoredTerm[], totals: Totals): Scorer {
  const number = Math.max(1, totals.passages);
  const average = {
    words: Math.max(1, totals.words / number),
    grams: Math.max(1, totals.grams / number),
  };
  const unknown = rarity(totals.passages, 0);
  // A form of another language is the rarer, and so the likelier one meant where both are known.
  const weightOf = (term: ScoredTerm) =>
    Math.max(...term.held.map((form) => form.weight), term.known ? 0 : unknown);
  const grams = new Map<number, number>();
  for (const term of terms) {
    const weight = weightOf(term) * shareOf(term, 'grams');
    for (const hash of term.grams) grams.set(hash, Math.max(grams.get(hash) ?? 0, weight));
  }
  const total = sum(terms.map((term) => term.weight));

  const score = (features: TermFeatures): PassageScore => {
    let words = 0;
    let covered = 0;
    for (const term of terms) {
      const best = bestForm(term, features.words, average.words);
      words += best * shareOf(term, 'words');
      if (best > 0) covered += term.weight * (term.known ? 1 : guessedShare);
      else if (isPart(term, features.grams)) covered += term.weight * compoundShare;
    }
    let byGrams = 0;
    for (const [hash, weight] of grams) {
      const count = countOf(features.grams, hash);
      if (count === 0) continue;
      byGrams += weight * saturated(count, features.grams.length, average.grams, bm25.grams);
    }
    return { words, grams: byGrams, coverage: total === 0 ? 0 : covered / total };
  };
  const full = {
    words: sum(terms.map((term) => weightOf(term) * shareOf(term, 'words'))),
    grams: sum(grams.values()),
  };
  return { score, full };
}

function bestForm(term: ScoredTerm, words: TermCounts, average: number): number {
  let best = 0;
  for (const form of term.held) {
    const count = countOf(words, form.hash);
    if (count > 0) best = Math.max(best, form.weight * saturated(count, words.length, average));
  }
  return best;
}

function sum(numbers: Iterable<number>): number {
  let all = 0;
  for (const number of numbers) all += number;
  return all;
}

/** What a term counts that stands `count` times in a text of that length, as BM25 has it; of stems where not said. */
export function saturated(
  count: number,
  length: number,
  average: number,
  { k1, b }: { k1: number; b: number } = bm25.words,
): number {
  return (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / average));
}

/** What `saturated` makes of a stem, for many of a passage: `ceiling * count / (count + damping(length, average))`. */
export const stemCeiling = bm25.words.k1 + 1;
export function stemDamping(length: number, average: number): number {
  return bm25.words.k1 * (1 - bm25.words.b + (bm25.words.b * length) / average);
}

/** Whether the word seems to be part of another word there: "Temperatur" of "Lagertemperatur". */
function isPart(term: ScoredTerm, grams: TermCounts): boolean {
  if (term.isStopWord || term.text.length < shortestPart) return false;
  // Its edges are edges of a compound on one side at most.
  const inner = term.grams.slice(1, -1);
  const present = inner.filter((hash) => countOf(grams, hash) > 0).length;
  return inner.length > 0 && present >= inner.length * gramsOfPart;
}
