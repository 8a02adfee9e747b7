import type { QueryTerm } from '../../language/analyze.js';
import { extended } from '../../platform/extended.js';
import { gramHashesOf, hashOf } from '../../language/term-features.js';

/** The number of passages that the asker may see, and of those that hold a term. */
export interface TermStatistics {
  passages: number;
  holding: (term: string) => number;
}

/** A word of the question with its weight: its share of the question's meaning. */
export interface WeightedTerm extends QueryTerm {
  /** Inverse document frequency among the passages that the asker may see, in nats; near 0 for function words. */
  weight: number;
  /** True when one of those passages holds it. */
  known: boolean;
  /** Words of the index that an unknown word may be misspelt from. */
  guesses?: readonly string[];
  /** Forms of synonyms in this question. */
  synonyms?: readonly string[];
}

/** A word of the question, ready for look-up in the features of passages. */
export interface ScoredTerm extends WeightedTerm {
  /** The forms that the index holds; for an unknown word, those that it may be misspelt from. */
  held: HeldForm[];
  grams: readonly number[];
}

export interface HeldForm {
  term: string;
  hash: number;
  /** The number of passages with it that the asker may see. */
  holding: number;
  /** Its weight by rarity. */
  weight: number;
}

/** The weight of a function word as a share of its rarity: for relevance, and for the order. */
const stopWordShares = { coverage: 0.05, words: 0.5, grams: 0.3 };
/** The weight of a word that the asked one may be misspelt from. */
export const guessedShare = 0.7;
/** Passages added to a small index: rarity among ten texts has little meaning. */
export const backgroundPassages = 100;

/** The weight of a term for the order: less for a function word, which may also be a name. */
export function shareOf(term: QueryTerm, what: 'words' | 'grams'): number {
  return term.isStopWord ? stopWordShares[what] : 1;
}

/** Each word with its rarity. `meant` are the words of the index from which an unknown word may be misspelt. */
export function weighTerms(
  terms: readonly QueryTerm[],
  { passages, holding }: TermStatistics,
  meant: ReadonlyMap<QueryTerm, string[]>,
): ScoredTerm[] {
  const formOf = (term: string, share: number): HeldForm[] => {
    const count = holding(term);
    if (count === 0) return [];
    const weight = share * rarity(passages, count);
    return [{ term, hash: hashOf(term), holding: count, weight }];
  };
  return terms.map((term) => {
    const own = term.variants.flatMap((variant) => formOf(variant, 1));
    const most = Math.max(0, ...own.map((form) => form.holding));
    const guesses = meant.get(term) ?? [];
    const guessed = guesses.flatMap((word) => formOf(word, guessedShare));
    return extended(term, {
      guesses,
      weight: weighAmong(term, { passages, holding: most }),
      known: most > 0,
      held: [...own, ...guessed],
      grams: gramHashesOf(term.text),
    });
  });
}

/** The weight of a word that this many of the passages hold. */
function weighAmong(
  term: QueryTerm,
  { passages, holding }: { passages: number; holding: number },
): number {
  const idf = rarity(passages + backgroundPassages, holding);
  return term.isStopWord ? idf * stopWordShares.coverage : idf;
}

/** ln(1 + (N - n + 0.5) / (n + 0.5)), the idf of BM25 (Robertson and Zaragoza 2009). */
export function rarity(passages: number, holding: number): number {
  return Math.log(1 + (Math.max(0, passages - holding) + 0.5) / (holding + 0.5));
}
