import { queryTerms } from '../language/analyze.js';
import type { AnswerKind } from '../language/language-pack.js';
import { languagePacks, wordsOfAll } from '../language/packs.js';
import type { WeightedTerm } from '../search/search-passages.js';

const askedWords = wordsOfAll(({ permitted }) => permitted.asked);
const toldForms = languagePacks.flatMap(({ permitted }) =>
  queryTerms(permitted.told).flatMap(({ variants }) => variants),
);

/** "Which files can I upload?": texts say that files are accepted, and seldom that a reader uploads them. */
export function withPermission(
  terms: WeightedTerm[],
  kind: AnswerKind | undefined,
): WeightedTerm[] {
  if (kind !== 'list') return terms;
  return terms.map((term) => (askedWords.has(term.text) ? { ...term, synonyms: toldForms } : term));
}
