import type { App } from '../platform/app.js';
import type { QueryTerm } from '../platform/text/analyze.js';
import { editDistance } from '../platform/text/edit-distance.js';
import { foldAccents } from '../platform/text/fold.js';
import { isWord } from '../platform/text/vocabulary.js';
import type { SearchScope } from './scope.js';
import { findWords, type WordPattern } from './vocabulary.repository.js';

/** Words of the index that a question's words may have to do with. */
export interface RelatedWords {
  /**
   * Those that hold a word of the question as a part (Lager: Lagertemperatur), or that may be parts of one
   * (Lagertemperatur: Lager and Temperatur).
   */
  compounds: string[];
  /** Those that an unknown word may be misspelt from. */
  meant: Map<QueryTerm, string[]>;
}

/** Compounds of one word. */
const mostCompounds = 12;
/** Words that are compared with an unknown one: more than begin or end alike in a large vocabulary. */
const mostAlike = 3000;
/** Letters that a part of a compound has at least, beside another, and that a compound has at most. */
const shortestPart = 4;
const shortestRest = 3;
const longestCompound = 40;
/** Letters from which on two slips of the finger are one word still. */
const longWord = 8;

/** Words of a question that are looked up, the longest: an endless text is no question. */
const mostWords = 30;

type Of = Pick<SearchScope, 'organizationId'>;

/**
 * The compounds of the words in the organization's vocabulary, and what they may be compounds of; function words and
 * short ones have none.
 */
export async function findCompounds(
  app: Pick<App, 'db'>,
  { organizationId }: Of,
  terms: readonly QueryTerm[],
): Promise<string[]> {
  const asked = toLookUp(terms);
  const patterns = asked.flatMap(({ word, forms }) => compoundsOf(word, forms));
  const found = await findWords(app, organizationId, patterns);
  const compounds = new Set(asked.flatMap(({ forms }) => forms.flatMap(partsOf)));
  for (let at = 0; at < found.length; at += 2) {
    const wholes = [...(found[at] ?? []), ...(found[at + 1] ?? [])];
    wholes.sort((a, b) => a.length - b.length);
    for (const word of wholes.slice(0, mostCompounds)) compounds.add(word);
  }
  return [...compounds];
}

/** Words of the organization's vocabulary that those may be misspelt from which the index does not know. */
export async function findMeant(
  app: Pick<App, 'db'>,
  { organizationId }: Of,
  terms: readonly QueryTerm[],
  isKnown: (term: QueryTerm) => boolean,
): Promise<Map<QueryTerm, string[]>> {
  // A word that the index knows is not misspelt.
  const unknown = toLookUp(terms).filter(({ term }) => !isKnown(term));
  const patterns = unknown.flatMap(({ word }) => slipsOf(word));
  const found = await findWords(app, organizationId, patterns);
  const meant = new Map<QueryTerm, string[]>();
  for (const { term, word, forms } of unknown) {
    const alike = found.splice(0, slipsOf(word).length).flat();
    const words = [...new Set(alike)].filter((one) => forms.some((form) => isSlip(form, one)));
    if (words.length > 0) meant.set(term, words);
  }
  return meant;
}

function toLookUp(terms: readonly QueryTerm[]) {
  return terms
    .filter((term) => !term.isStopWord && isWord(term.text))
    .sort((a, b) => b.text.length - a.text.length)
    .slice(0, mostWords)
    .map((term) => ({
      term,
      word: foldAccents(term.text),
      forms: [...new Set([...term.variants, term.text])].filter(isWord),
    }));
}

/** What a word may be a part of, at either end. */
function compoundsOf(word: string, forms: string[]): WordPattern[] {
  // The shortest form has the others' endings off: compounds join stems.
  const stem = forms.reduce((one, other) => (other.length < one.length ? other : one), word);
  const longer = {
    letters: stem,
    least: stem.length + shortestRest,
    most: longestCompound,
    limit: mostCompounds,
  };
  return [
    { end: 'beginning', ...longer },
    { end: 'ending', ...longer },
  ];
}

/** What a word may be misspelt from: a slip is seldom at both ends. */
function slipsOf(word: string): WordPattern[] {
  const edge = word.length < longWord ? 3 : 4;
  const alike = { least: word.length - 2, most: word.length + 2, limit: mostAlike };
  return [
    { end: 'beginning', letters: word.slice(0, edge), ...alike },
    { end: 'ending', letters: word.slice(-edge), ...alike },
  ];
}

/** One letter left out, added, changed or moved; two in a long word. The first one is right. */
function isSlip(typed: string, word: string): boolean {
  if (typed[0] !== word[0]) return false;
  const most = typed.length >= longWord ? 2 : 1;
  return editDistance(typed, word) <= most || lettersOf(typed) === lettersOf(word);
}

function lettersOf(word: string): string {
  return Array.from(word).sort().join('');
}

/** The beginnings and ends of a word that may be words by themselves, where the rest may be one too. */
function partsOf(word: string): string[] {
  const cuts = Math.max(0, word.length - 2 * shortestPart + 1);
  return Array.from({ length: cuts }, (_, index) => shortestPart + index).flatMap((cut) => [
    word.slice(0, cut),
    word.slice(cut),
  ]);
}
