import { queryTerms } from '../language/analyze.js';
import { foldAccents } from '../language/fold.js';
import { hasDigit } from '../language/numbers.js';
import { inAnyLanguage } from '../language/packs.js';
import { isSurelyMeant } from '../search/ranking/find-related.js';
import type { WeightedTerm } from '../search/search-passages.js';
import { guessedShare } from '../search/ranking/weigh-terms.js';

/** The words of a text, prepared for matching a question's words. */
export interface TextWords {
  /** Every form by which a question may refer to them. */
  forms: ReadonlySet<string>;
  /** Those that are long enough to have parts, without accents. */
  long: readonly string[];
  /** The number of different words. */
  count: number;
}

/** The fewest letters of a meaningful part of a word. */
const shortestPart = 5;
/** The score of a word that is a part of another: "Lager" in "Lagertemperatur". */
const partShare = 0.7;
/** The score of a word when only its beginning occurs: "colonización" for "colonizar". */
const beginningShare = 0.5;
/** The score of a word that is two typos away: not enough to replace it. */
const doubtfulShare = 0.4;
/** The share of the longer word that a common beginning must cover. */
const commonBeginning = 0.6;
/** Prefixes that turn a word into its opposite: un-, dis-, des-. */
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

/** How clearly a question's word occurs in a text, 0 to 1: in any form, in a compound, or as a related word. */
export function matchOf(term: WeightedTerm, { forms, long }: TextWords): number {
  for (const variant of term.variants) if (forms.has(variant)) return 1;
  if (term.synonyms?.some((form) => forms.has(form)) === true) return 1;
  if (term.isStopWord) return 0;
  const guessed = term.guesses?.filter((word) => forms.has(word)) ?? [];
  if (guessed.length > 0)
    return guessed.some((word) => isSurelyMeant(term, word)) ? guessedShare : doubtfulShare;
  // A number is neither a part nor a beginning of another.
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

/** "Lager" is a part of "Lagertemperatur", but "install" is not a part of "uninstall". */
function isPart(part: string, word: string): boolean {
  return word.includes(part) && !isOpposite(word, part);
}

/** True when a word begins with the opposite of another: "uninstall" for "install". */
function isOpposite(word: string, other: string): boolean {
  const [before] = oppositePrefix.exec(word) ?? [];
  return before !== undefined && word.startsWith(other, before.length);
}

/** Cached by the forms of a word, because each word is matched against hundreds of sentences. */
const parts = new WeakMap<readonly string[], { asked: string; stem: string }>();

/** A word without accents, and its part that may occur in other words. */
function partsOf(term: WeightedTerm): { asked: string; stem: string } {
  const known = parts.get(term.variants);
  if (known !== undefined) return known;
  const asked = foldAccents(term.text);
  const made = { asked, stem: stemOf(term, asked) };
  parts.set(term.variants, made);
  return made;
}

/** The shortest meaningful form. */
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
