/** A term of the index, by which others find it: its beginnings, compounds that it is part of, and slips of it. */
export interface VocabularyTerm {
  term: string;
  /** Whether it is a word that compounds and slips are looked for by. */
  is_word: boolean;
  /** Its letters backwards: by them it is found from its end. */
  reversed: string;
}

/** Letters of a term below which its parts and its neighbours say nothing, and above which it is no word. */
const lengths = { least: 5, most: 40 };

/** The terms, each once. */
export function vocabularyOf(terms: Iterable<string>): VocabularyTerm[] {
  return Array.from(new Set(terms), (term) => {
    return { term, is_word: isWord(term), reversed: reverse(term) };
  });
}

/** Whether a term is one of the vocabulary: letters alone, of a length that tells something. */
export function isWord(term: string): boolean {
  return term.length >= lengths.least && term.length <= lengths.most && /^\p{L}+$/u.test(term);
}

export function reverse(term: string): string {
  return Array.from(term).reverse().join('');
}
