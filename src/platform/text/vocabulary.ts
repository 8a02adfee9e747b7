/** A word of the index, by which other words find it: those that it is part of, and those misspelt from it. */
export interface VocabularyWord {
  term: string;
  /** Its letters backwards: by them it is found from its end. */
  reversed: string;
}

/** Letters of a term below which its parts and its neighbours say nothing, and above which it is no word. */
const lengths = { least: 5, most: 40 };

/** The words among terms, each once. */
export function vocabularyOf(terms: Iterable<string>): VocabularyWord[] {
  return [...new Set(terms)].filter(isWord).map((term) => ({ term, reversed: reverse(term) }));
}

/** Whether a term is one of the vocabulary: letters alone, of a length that tells something. */
export function isWord(term: string): boolean {
  return term.length >= lengths.least && term.length <= lengths.most && /^\p{L}+$/u.test(term);
}

export function reverse(term: string): string {
  return Array.from(term).reverse().join('');
}
