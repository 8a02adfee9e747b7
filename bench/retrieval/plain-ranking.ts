import { indexTerms, tokenize } from '../../src/language/analyze.js';
import { gramsOf } from '../../src/language/term-features.js';
import { rarity } from '../../src/search/ranking/weigh-terms.js';
import type { QuestionSet } from './question-sets.js';

const bm25 = { k1: 1.2, b: 0.75 };

/**
 * The ranking that the product's is compared with: BM25 over stems and BM25 over character 4-grams, each as a share of
 * its best, added up. Every word counts by its rarity alone. Returns the ids of the passages, best first.
 */
export function createPlainRanking({
  language,
  passages,
}: Pick<QuestionSet, 'language' | 'passages'>): (question: string) => string[] {
  const texts = passages.map(({ title, text }) => `${title}\n${text}`);
  const stemsOf = (text: string) => indexTerms(text, language);
  const byStems = createBm25(texts.map(stemsOf));
  const byGrams = createBm25(texts.map(gramsIn));
  return (question) => {
    const stems = byStems(stemsOf(question));
    const grams = byGrams(gramsIn(question));
    return passages
      .map(({ id }, index) => ({ id, score: (stems[index] ?? 0) + (grams[index] ?? 0) }))
      .sort((a, b) => b.score - a.score)
      .map(({ id }) => id);
  };
}

function gramsIn(text: string): string[] {
  return tokenize(text).flatMap((token) => (token.kind === 'word' ? gramsOf(token.text) : []));
}

/** Scores of all texts as shares of the best, in their order. */
function createBm25(texts: readonly string[][]): (asked: readonly string[]) => number[] {
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const counts = new Map<string, Map<number, number>>();
  for (const [index, terms] of texts.entries()) {
    for (const term of terms) {
      const holding = counts.get(term) ?? new Map<number, number>();
      counts.set(term, holding.set(index, (holding.get(index) ?? 0) + 1));
    }
  }
  return (asked) => {
    const scores = texts.map(() => 0);
    for (const term of new Set(asked)) {
      const holding = counts.get(term) ?? new Map<number, number>();
      const weight = rarity(texts.length, holding.size);
      for (const [index, count] of holding) {
        const length = texts[index]?.length ?? 0;
        const damping = bm25.k1 * (1 - bm25.b + (bm25.b * length) / average);
        scores[index] = (scores[index] ?? 0) + (weight * count * (bm25.k1 + 1)) / (count + damping);
      }
    }
    const best = Math.max(Number.MIN_VALUE, ...scores);
    return scores.map((score) => score / best);
  };
}
