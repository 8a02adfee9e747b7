import { queryTerms } from '../language/analyze.js';
import type { AnswerKind, LanguagePack } from '../language/language-pack.js';
import { languagePacks, wordsOfAll } from '../language/packs.js';
import type { WeightedTerm } from '../search/search-passages.js';
import { readWords } from './match-words.js';
import type { WeighedPassage } from './weigh-passages.js';

// Verbs that questions use but their answers replace, and verbs that contradict the question.

const askedWords = wordsOfAll(({ permitted }) => permitted.asked);
const toldForms = formsOf(({ permitted }) => permitted.told);
const taking = formsOf(({ contrary }) => contrary.taking);
const making = formsOf(({ contrary }) => contrary.making);

/** "Which files can I upload?": texts say that files are accepted, rarely that a reader uploads them. */
export function withPermission(
  terms: WeightedTerm[],
  kind: AnswerKind | undefined,
): WeightedTerm[] {
  if (kind !== 'list') return terms;
  const synonyms = [...toldForms];
  return terms.map((term) => (askedWords.has(term.text) ? { ...term, synonyms } : term));
}

/** "How do I delete a user?": a text about creating one is no answer, whatever else it contains. */
export function tellsContrary(
  terms: readonly WeightedTerm[],
  kind: AnswerKind | undefined,
  { passage }: Pick<WeighedPassage, 'passage'>,
): boolean {
  if (kind !== 'way') return false;
  const asked = terms.flatMap(({ variants }) => variants);
  if (!asked.some((form) => taking.has(form)) || asked.some((form) => making.has(form)))
    return false;
  const told = [...readWords(`${passage.title}\n${passage.body}`).forms];
  return told.some((form) => making.has(form)) && !told.some((form) => taking.has(form));
}

function formsOf(verbs: (pack: LanguagePack) => string): ReadonlySet<string> {
  return new Set(
    languagePacks.flatMap((pack) => queryTerms(verbs(pack)).flatMap(({ variants }) => variants)),
  );
}
