import type { QueryTerm } from '../platform/text/analyze.js';
import { gramHashesOf, hashOf } from '../platform/text/term-features.js';
import type { TermStatistics } from './term-statistics.js';

/** A word of the question with its weight: how much of what was asked it carries. */
export interface WeightedTerm extends QueryTerm {
  /** Inverse document frequency over the index, near 0 for function words; in nats. */
  weight: number;
  /** Whether any passage of the whole index holds it. */
  known: boolean;
}

/** A word of the question, ready to be looked up in what passages are scored by. */
export interface ScoredTerm extends WeightedTerm {
  /** Its forms that the index holds, with their rarity. */
  held: { term: string; hash: number; holding: number; idf: number }[];
  grams: readonly number[];
}

/** What a function word counts, as a share of what it would by its rarity: for relevance, and for the order. */
const stopWordShares = { coverage: 0.05, words: 0.5, grams: 0.3 };
/** Passages that a small index is taken to have beside its own: rarity among ten texts says little. */
const backgroundPassages = 100;

/** How much a term counts for the order: less where it is a function word, which a name may look like. */
export function shareOf(term: QueryTerm, what: 'words' | 'grams'): number {
  return term.isStopWord ? stopWordShares[what] : 1;
}

/** Each word with its rarity. */
export function weighTerms(terms: QueryTerm[], { totals, holding }: TermStatistics): ScoredTerm[] {
  return terms.map((term) => {
    const held = term.variants.flatMap((variant) => {
      const count = holding(variant);
      if (count === 0) return [];
      const idf = rarity(totals.passages, count);
      return [{ term: variant, hash: hashOf(variant), holding: count, idf }];
    });
    const most = Math.max(0, ...held.map((form) => form.holding));
    const idf = rarity(totals.passages + backgroundPassages, most);
    return {
      ...term,
      weight: term.isStopWord ? idf * stopWordShares.coverage : idf,
      known: most > 0,
      held,
      grams: gramHashesOf(term.text),
    };
  });
}

/** ln(1 + (N - n + 0.5) / (n + 0.5)), as BM25 has it (Robertson and Zaragoza 2009). */
export function rarity(passages: number, holding: number): number {
  return Math.log(1 + (Math.max(0, passages - holding) + 0.5) / (holding + 0.5));
}
