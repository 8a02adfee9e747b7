/** An index term in the vocabulary, in which beginnings, compounds and misspellings are looked up. */
export interface VocabularyTerm {
  term: string;
  /** True for a word that is compared with compounds and misspellings. */
  is_word: boolean;
  /** The reversed letters, to find the term by its end. */
  reversed: string;
}

/** The lengths of words: shorter terms have no meaningful parts or neighbours, and longer ones are not words. */
const lengths = { least: 5, most: 40 };

export function vocabularyOf(terms: Iterable<string>): VocabularyTerm[] {
  return Array.from(new Set(terms), (term) => {
    return { term, is_word: isWord(term), reversed: reverse(term) };
  });
}

/** True for a word of the vocabulary: only letters, and of a meaningful length. */
export function isWord(term: string): boolean {
  return term.length >= lengths.least && term.length <= lengths.most && /^\p{L}+$/u.test(term);
}

export function reverse(term: string): string {
  return Array.from(term).reverse().join('');
}
