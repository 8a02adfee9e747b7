import { queryTerms } from '../language/analyze.js';
import { foldAccents } from '../language/fold.js';
import { hasDigit } from '../language/numbers.js';
import { inAnyLanguage } from '../language/packs.js';
import { isSurelyMeant } from '../search/ranking/find-related.js';
import type { WeightedTerm } from '../search/search-passages.js';
import { guessedShare } from '../search/ranking/weigh-terms.js';

/** The words of a text, as a question's words are looked for in it. */
export interface TextWords {
  /** Every form under which a question may mean them. */
  forms: ReadonlySet<string>;
  /** Those long enough to have parts, without accents. */
  long: readonly string[];
  /** How many there are, without repeats. */
  count: number;
}

/** Letters that a part of a word must have to tell anything. */
const shortestPart = 5;
/** What a word counts that stands as a part of another: "Lager" in "Lagertemperatur". */
const partShare = 0.7;
/** What a word counts of which only the beginning stands there: "colonización" for "colonizar". */
const beginningShare = 0.5;
/** What a word counts that another may be meant by with two slips: not enough to stand for it. */
const doubtfulShare = 0.4;
/** The share of the longer of two words that a common beginning must be. */
const commonBeginning = 0.6;
/** What turns a word into its opposite: un-, dis-, des-. */
const oppositePrefix = new RegExp(`^(?:${inAnyLanguage(({ opposites }) => opposites)})`);

export function readWords(text: string): TextWords {
  const terms = queryTerms(text);
  return {
    forms: new Set(terms.flatMap((term) => term.variants)),
    long: terms
      .filter(
        ({ isStopWord, text }) => !isStopWord && text.length >= shortestPart && !hasDigit(text),
      )
      .map((term) => foldAccents(term.text)),
    count: terms.length,
  };
}

/** How surely a word of a question stands in a text, 0 to 1: itself in any form, a compound of it, a kindred word. */
export function matchOf(term: WeightedTerm, { forms, long }: TextWords): number {
  for (const variant of term.variants) if (forms.has(variant)) return 1;
  if (term.synonyms?.some((form) => forms.has(form)) === true) return 1;
  if (term.isStopWord) return 0;
  const guessed = term.guesses?.filter((word) => forms.has(word)) ?? [];
  if (guessed.length > 0)
    return guessed.some((word) => isSurelyMeant(term, word)) ? guessedShare : doubtfulShare;
  // No number is a part of another, nor its beginning.
  if (term.text.length < shortestPart || hasDigit(term.text)) return 0;
  const { asked, stem } = partsOf(term);
  let best = 0;
  for (const word of long) {
    if (isPart(stem, word) || isPart(word, asked)) return partShare;
    if (best === 0 && commonLength(asked, word) >= shortestPart) {
      const longer = Math.max(asked.length, word.length);
      if (commonLength(asked, word) / longer >= commonBeginning) best = beginningShare;
    }
  }
  return best;
}

/** "Lager" is a part of "Lagertemperatur", but "install" none of "uninstall". */
function isPart(part: string, word: string): boolean {
  return word.includes(part) && !isOpposite(word, part);
}

/** Whether a word begins with the opposite of another: "uninstall" with that of "install". */
function isOpposite(word: string, other: string): boolean {
  const [before] = oppositePrefix.exec(word) ?? [];
  return before !== undefined && word.startsWith(other, before.length);
}

/** By a word's forms, which all of its terms share: it is looked for in hundreds of sentences. */
const parts = new WeakMap<readonly string[], { asked: string; stem: string }>();

/** A word without accents, and what of it may stand in other words. */
function partsOf(term: WeightedTerm): { asked: string; stem: string } {
  const known = parts.get(term.variants);
  if (known !== undefined) return known;
  const asked = foldAccents(term.text);
  const made = { asked, stem: stemOf(term, asked) };
  parts.set(term.variants, made);
  return made;
}

/** The shortest form that still tells something. */
function stemOf(term: WeightedTerm, asked: string): string {
  let stem = asked;
  for (const variant of term.variants) {
    if (variant.length >= shortestPart && variant.length < stem.length) stem = variant;
  }
  return stem;
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
