import type { App } from '../../platform/app.js';
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

/** Compounds of one word. */
const mostCompounds = 12;
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
 * The compounds of the words, and what they may be compounds of, as far as passages that the asker may see hold them;
 * function words and short ones have none.
 */
export async function findCompounds(
  app: Pick<App, 'db'>,
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

/**
 * What those words may be other forms of that no passage holds which the asker may see, or words that they may be
 * misspelt from and that such passages hold.
 */
export async function findMeant(
  app: Pick<App, 'db'>,
  { organizationId }: Of,
  terms: readonly QueryTerm[],
  counts: TermCounts,
): Promise<Map<QueryTerm, string[]>> {
  const isHeld = (word: string) => counts.holding(word) > 0;
  // A word that the index knows is not misspelt.
  const unknown = toLookUp(terms).filter(({ term }) => !term.variants.some(isHeld));
  if (unknown.length === 0) return new Map();
  const { language } = tellLanguage(terms.map(({ text }) => text).join(' '));
  const looked = unknown.map(({ term, forms }) => {
    const kindred = kindredOf(term.text, language);
    const slips = slipsOf(forms);
    return { term, forms, kindred, slips, joined: kindred.beginnings.map(joinedWith) };
  });
  // All of them: only those that are read can be told from slips, and few are.
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

/** What a word may be a part of, at either end. */
function compoundsOf(word: string, forms: string[]): WordPattern[] {
  // The shortest form has the others' endings off: compounds join stems.
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
 * What a word may be misspelt from, in any of its forms, since the index holds stems: what two letters that changed
 * places leave of it at one end or the other.
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

/** One letter left out, added, changed or moved; two in a long word. The first one is right. */
function isSlip(typed: string, word: string): boolean {
  if (typed[0] !== word[0]) return false;
  if (isOneSlip(typed, word)) return true;
  return typed.length >= longWord && editDistance(typed, word) <= 2;
}

function isOneSlip(typed: string, word: string): boolean {
  return editDistance(typed, word) <= 1 || lettersOf(typed) === lettersOf(word);
}

/** Whether a word is one slip from what it was taken for, or another form of it: two slips make it a guess. */
export function isSurelyMeant({ text, variants }: QueryTerm, word: string): boolean {
  if ([text, ...variants].some((form) => isOneSlip(form, word))) return true;
  const { terms, beginnings } = kindredOf(text, undefined);
  return terms.includes(word) || beginnings.some((beginning) => word.startsWith(beginning));
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
