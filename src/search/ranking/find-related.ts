import type { WithDb } from '../../platform/app.js';
import type { QueryTerm } from '../../language/analyze.js';
import { editDistance } from '../../platform/text/closest-word.js';
import { foldAccents } from '../../language/fold.js';
import { kindredOf } from '../../language/kindred.js';
import { tellLanguage } from '../../language/detect-language.js';
import { isWord } from '../../language/vocabulary.js';
import { findHeldWords } from './find-held-words.js';
import type { SearchScope } from '../passages/scope.js';
import type { TermCounts } from '../term-index/postings.js';
import { findWords, type WordPattern } from '../passages/vocabulary.repository.js';

const mostCompounds = 12;
/** The fewest letters of a part of a compound, and the most letters of a compound. */
const shortestPart = 4;
const shortestRest = 3;
const longestCompound = 40;
/** From this many letters on, two typos are allowed. */
const longWord = 8;

/** The most words of a question that are looked up, the longest first: an endless text is no question. */
const mostWords = 30;

type Of = Pick<SearchScope, 'organizationId'>;

/**
 * The compounds of the words, and the words of which they may be compounds, as far as passages that the asker may see
 * hold them. Function words and short words have none.
 */
export async function findCompounds(
  app: WithDb,
  { organizationId }: Of,
  terms: readonly QueryTerm[],
  counts: TermCounts,
): Promise<string[]> {
  const asked = toLookUp(terms);
  const patterns = asked.flatMap(({ word, forms }) => compoundsOf(word, forms));
  const parts = [...new Set(asked.flatMap(({ forms }) => forms.flatMap(partsOf)))];
  const { fitting, present } = await findHeldWords(app, organizationId, patterns, {
    counts,
    most: mostCompounds,
    words: parts,
  });
  const compounds = new Set(present);
  for (let at = 0; at < fitting.length; at += 2) {
    const wholes = [...(fitting[at] ?? []), ...(fitting[at + 1] ?? [])];
    wholes.sort((a, b) => a.length - b.length);
    for (const word of wholes.slice(0, mostCompounds)) compounds.add(word);
  }
  return [...compounds];
}

/** For words that no visible passage holds: other forms, or likely spellings, that visible passages hold. */
export async function findMeant(
  app: WithDb,
  { organizationId }: Of,
  terms: readonly QueryTerm[],
  counts: TermCounts,
): Promise<Map<QueryTerm, string[]>> {
  const isHeld = (word: string) => counts.holding(word) > 0;
  // A word of the index is not misspelt.
  const unknown = toLookUp(terms).filter(({ term }) => !term.variants.some(isHeld));
  if (unknown.length === 0) return new Map();
  const { language } = tellLanguage(terms.map(({ text }) => text).join(' '));
  const looked = unknown.map(({ term, forms }) => {
    const kindred = kindredOf(term.text, language);
    const slips = slipsOf(forms);
    return { term, forms, kindred, slips, joined: kindred.beginnings.map(joinedWith) };
  });
  // Reads all of them: only read words can be compared with the typo, and they are few.
  const alike = await findWords(
    app,
    organizationId,
    looked.flatMap(({ slips }) => slips),
  );
  const compounds = await findHeldWords(
    app,
    organizationId,
    looked.flatMap(({ joined }) => joined),
    { counts, most: mostCompounds },
  );
  const guessed = looked.map(({ term, forms, kindred, slips, joined }) => {
    const near = alike.fitting.splice(0, slips.length).flat();
    const misspelt = near.filter((one) => forms.some((form) => isSlip(form, one)));
    const longer = compounds.fitting.splice(0, joined.length).flat();
    return { term, words: [...new Set([...kindred.terms, ...longer, ...misspelt])] };
  });
  await counts.lookUp(guessed.flatMap(({ words }) => words));
  const meant = new Map<QueryTerm, string[]>();
  for (const { term, words } of guessed) {
    const held = words.filter(isHeld);
    if (held.length > 0) meant.set(term, held);
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
      forms: [...new Set([...term.variants, foldAccents(term.text)])].filter(isWord),
    }));
}

/** The compounds that begin or end with a word. */
function compoundsOf(word: string, forms: string[]): WordPattern[] {
  // The shortest form has no ending, and compounds join stems.
  const stem = forms.reduce((one, other) => (other.length < one.length ? other : one), word);
  const longer = {
    letters: stem,
    least: stem.length + shortestRest,
    most: longestCompound,
  };
  return [
    { end: 'beginning', ...longer },
    { end: 'ending', ...longer },
  ];
}

/**
 * Patterns for the words that a misspelt word may mean, in any of its forms, since the index holds stems. Even two
 * swapped letters leave one end intact.
 */
function slipsOf(forms: readonly string[]): WordPattern[] {
  const patterns = forms.flatMap((form): WordPattern[] => {
    const isLong = form.length >= longWord;
    const spread = isLong ? 2 : 1;
    const first = String.fromCodePoint(form.codePointAt(0) ?? 0);
    const alike = { least: form.length - spread, most: form.length + spread, first };
    return [
      { end: 'beginning', letters: form.slice(0, isLong ? 3 : 2), ...alike },
      { end: 'ending', letters: form.slice(-Math.min(4, form.length - 3)), ...alike },
    ];
  });
  return patterns.filter(
    ({ end, letters, first }, index) =>
      patterns.findIndex(
        (one) => one.end === end && one.letters === letters && one.first === first,
      ) === index,
  );
}

/** Compounds that begin with a noun. */
function joinedWith(letters: string): WordPattern {
  const least = letters.length + shortestRest;
  return { end: 'beginning', letters, least, most: longestCompound };
}

/** True for one letter left out, added, changed or moved; for two in a long word. The first letter must be right. */
function isSlip(typed: string, word: string): boolean {
  if (typed[0] !== word[0]) return false;
  if (isOneSlip(typed, word)) return true;
  return typed.length >= longWord && editDistance(typed, word) <= 2;
}

function isOneSlip(typed: string, word: string): boolean {
  return editDistance(typed, word) <= 1 || lettersOf(typed) === lettersOf(word);
}

/** True when a word is one typo away, or another form. With two typos it is only a guess. */
export function isSurelyMeant({ text, variants }: QueryTerm, word: string): boolean {
  if ([text, ...variants].some((form) => isOneSlip(form, word))) return true;
  const { terms, beginnings } = kindredOf(text, undefined);
  return terms.includes(word) || beginnings.some((beginning) => word.startsWith(beginning));
}

function lettersOf(word: string): string {
  return Array.from(word).sort().join('');
}

/** The beginnings and ends of a word that may be words themselves, when the rest may be a word too. */
function partsOf(word: string): string[] {
  const cuts = Math.max(0, word.length - 2 * shortestPart + 1);
  return Array.from({ length: cuts }, (_, index) => shortestPart + index).flatMap((cut) => [
    word.slice(0, cut),
    word.slice(cut),
  ]);
}
