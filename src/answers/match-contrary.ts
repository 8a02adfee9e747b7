import { queryTerms } from '../language/analyze.js';
import type { AnswerKind, LanguagePack } from '../language/language-pack.js';
import { languagePacks } from '../language/packs.js';
import { readWords } from './match-words.js';
import type { WeightedTerm } from '../search/search-passages.js';
import type { WeighedPassage } from './weigh-passages.js';

const taking = formsOf(({ contrary }) => contrary.taking);
const making = formsOf(({ contrary }) => contrary.making);

/** "How do I delete a user?": how one is made is no answer, however much else of the question stands there. */
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
