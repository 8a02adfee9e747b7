import type { QueryTerm } from '../../language/analyze.js';
import { gramHashesOf, hashOf } from '../../language/term-features.js';

/** How many passages the asker may see, and in how many of them a term stands. */
export interface TermStatistics {
  passages: number;
  holding: (term: string) => number;
}

/** A word of the question with its weight: how much of what was asked it carries. */
export interface WeightedTerm extends QueryTerm {
  /** Inverse document frequency among the passages that the asker may see, near 0 for function words; in nats. */
  weight: number;
  /** Whether any of those passages holds it. */
  known: boolean;
  /** Words of the index that an unknown one may be misspelt from. */
  guesses?: readonly string[];
  /** Forms of other words that say the same where this one is asked. */
  synonyms?: readonly string[];
}

/** A word of the question, ready to be looked up in what passages are scored by. */
export interface ScoredTerm extends WeightedTerm {
  /** Its forms that the index holds; of a word that it does not know, those that it may be misspelt from. */
  held: HeldForm[];
  grams: readonly number[];
}

export interface HeldForm {
  term: string;
  hash: number;
  /** Passages that the asker may see with it. */
  holding: number;
  /** What it counts by its rarity. */
  weight: number;
}

/** What a function word counts, as a share of what it would by its rarity: for relevance, and for the order. */
const stopWordShares = { coverage: 0.05, words: 0.5, grams: 0.3 };
/** What a word counts that the asked one may be misspelt from. */
export const guessedShare = 0.7;
/** Passages that a small index is taken to have beside its own: rarity among ten texts says little. */
export const backgroundPassages = 100;

/** How much a term counts for the order: less where it is a function word, which a name may look like. */
export function shareOf(term: QueryTerm, what: 'words' | 'grams'): number {
  return term.isStopWord ? stopWordShares[what] : 1;
}

/** Each word with its rarity. `meant` are the words of the index that an unknown one may be misspelt from. */
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
    return {
      ...term,
      guesses,
      weight: weighAmong(term, { passages, holding: most }),
      known: most > 0,
      held: [...own, ...guessed],
      grams: gramHashesOf(term.text),
    };
  });
}

/** How much of a question a word carries that so many of the passages hold. */
function weighAmong(
  term: QueryTerm,
  { passages, holding }: { passages: number; holding: number },
): number {
  const idf = rarity(passages + backgroundPassages, holding);
  return term.isStopWord ? idf * stopWordShares.coverage : idf;
}

/** ln(1 + (N - n + 0.5) / (n + 0.5)), as BM25 has it (Robertson and Zaragoza 2009). */
export function rarity(passages: number, holding: number): number {
  return Math.log(1 + (Math.max(0, passages - holding) + 0.5) / (holding + 0.5));
}
