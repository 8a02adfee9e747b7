/** Letters of a term below which its parts and its neighbours say nothing, and above which it is no word. */
const lengths = { least: 5, most: 40 };

/** The terms, each once, that other words may be part of, or be misspelt from. */
export function vocabularyOf(terms: Iterable<string>): string[] {
  return [...new Set(terms)].filter(isWord);
}

/** Whether a term is one of the vocabulary: letters alone, of a length that tells something. */
export function isWord(term: string): boolean {
  return term.length >= lengths.least && term.length <= lengths.most && /^\p{L}+$/u.test(term);
}
