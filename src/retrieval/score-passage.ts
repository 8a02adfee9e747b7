import { countOf, type TermCounts, type TermFeatures } from '../platform/text/term-features.js';
import type { Totals } from './passages.repository.js';
import { rarity, shareOf, type ScoredTerm } from './weigh-terms.js';

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

/** Scores the passages of one search. */
export function createScorer(
  terms: ScoredTerm[],
  totals: Totals,
): (features: TermFeatures) => PassageScore {
  const number = Math.max(1, totals.passages);
  const average = {
    words: Math.max(1, totals.words / number),
    grams: Math.max(1, totals.grams / number),
  };
  const unknown = rarity(totals.passages, 0);
  const grams = new Map<number, number>();
  for (const term of terms) {
    // A form of another language is the rarer, and so the likelier one meant where both are known.
    const idf = Math.max(...term.held.map((form) => form.idf), term.known ? 0 : unknown);
    for (const hash of term.grams) {
      grams.set(hash, Math.max(grams.get(hash) ?? 0, idf * shareOf(term, 'grams')));
    }
  }
  const total = terms.reduce((sum, term) => sum + term.weight, 0);

  return (features) => {
    let words = 0;
    let covered = 0;
    for (const term of terms) {
      let best = 0;
      for (const form of term.held) {
        const count = countOf(features.words, form.hash);
        if (count === 0) continue;
        const gain = saturated(count, features.words, average.words, bm25.words);
        best = Math.max(best, form.idf * gain);
      }
      words += best * shareOf(term, 'words');
      if (best > 0) covered += term.weight;
      else if (isPart(term, features.grams)) covered += term.weight * compoundShare;
    }
    let byGrams = 0;
    for (const [hash, weight] of grams) {
      const count = countOf(features.grams, hash);
      if (count > 0)
        byGrams += weight * saturated(count, features.grams, average.grams, bm25.grams);
    }
    return { words, grams: byGrams, coverage: total === 0 ? 0 : covered / total };
  };
}

function saturated(
  count: number,
  { length }: TermCounts,
  average: number,
  { k1, b }: { k1: number; b: number },
): number {
  return (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / average));
}

/** Whether the word seems to be part of another word there: "Temperatur" of "Lagertemperatur". */
function isPart(term: ScoredTerm, grams: TermCounts): boolean {
  if (term.isStopWord || term.text.length < shortestPart) return false;
  // Its edges are edges of a compound on one side at most.
  const inner = term.grams.slice(1, -1);
  const present = inner.filter((hash) => countOf(grams, hash) > 0).length;
  return inner.length > 0 && present >= inner.length * gramsOfPart;
}
