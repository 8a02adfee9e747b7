import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { stemmer as stemGerman } from '@orama/stemmers/german';
import { stemmer as stemSpanish } from '@orama/stemmers/spanish';
import { foldAccents, foldCase } from './fold.js';
import { isFunctionWord } from './function-words.js';
import { tellLanguage, type Language } from './languages.js';
import { hasDigit } from './numbers.js';
import { remembering } from './remember.js';
import { tokenize, type Token } from './tokenize.js';

export { tokenize, type Token } from './tokenize.js';

/** A word of a question, with every form in which an index of any language may hold it. */
export interface QueryTerm {
  /** As it was typed, in NFKC and lower case. */
  text: string;
  /** Shared by all terms of the same word. */
  variants: string[];
  /** A function word of the text's language, or of en, es or de where the text does not tell it: for weighing. */
  isStopWord: boolean;
  /** Written with a capital letter within a sentence: a name, or a noun of German. */
  isCapitalized?: true;
  /** With the sign before it that makes a name of it, as it was typed: ":name", "$HOME". */
  literal?: string;
}

const allLanguages: readonly Language[] = ['en', 'es', 'de', 'other'];

type Stemmed = Exclude<Language, 'other'>;

const stemmers: Record<Stemmed, (word: string) => string> = {
  en: stemEnglish,
  es: stemSpanish,
  de: stemGerman,
};

/** Whether a term is a name or a number: a text that lacks it is about something else. */
export function isNameOrNumber({ text, isCapitalized }: QueryTerm): boolean {
  return isCapitalized === true || hasDigit(text);
}

/** Longer runs are keys and encoded data: found by their beginning. */
const MAX_TERM_CHARS = 64;
/** Words whose forms are remembered; an average vocabulary is a tenth of it. */
const MAX_REMEMBERED = 30_000;

/**
 * The terms under which a text is found, in the order of the text. Each consists of letters, digits and `_` alone.
 */
export function indexTerms(text: string, language: Language): string[] {
  return tokenize(text).flatMap((token) =>
    token.kind === 'whole'
      ? wholeTerms(token.text, [language])
      : [indexTermOf(token.text, language)],
  );
}

/** The words of a question without repeats. */
export const queryTerms: (text: string) => readonly QueryTerm[] = remembering(readTerms, 3000);

function readTerms(text: string): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const { language, sure } = tellLanguage(text);
  // "van" and "bin" are nouns of an English question; German ones have few such nouns, and quote English names.
  const spoken = sure && language !== 'de' ? language : undefined;
  let whole: { end: number; joined: string[] } = { end: 0, joined: [] };
  for (const token of tokenize(text)) {
    if (token.kind === 'whole')
      whole = { end: token.end, joined: joinedTerms(token.text, allLanguages) };
    if (terms.has(token.text)) continue;
    // Where the text says email, both halves of a question's e-mail have been found.
    const joined = token.kind === 'word' && token.start < whole.end ? whole.joined : [];
    const literal = token.kind === 'word' ? literalAt(text, token) : undefined;
    terms.set(token.text, {
      text: token.text,
      variants:
        joined.length === 0 ? variantsOf(token) : [...new Set([...variantsOf(token), ...joined])],
      isStopWord:
        token.kind === 'word' && literal === undefined && isFunctionWord(token.text, spoken),
      ...(isCapitalizedAt(text, token) ? { isCapitalized: true as const } : {}),
      ...(literal === undefined ? {} : { literal }),
    });
  }
  return [...terms.values()];
}

/** What stands before a word within a sentence; its first word has a capital letter in any case. */
const inSentence = /[\p{L}\p{N},;()"“'] ?$/u;

function isCapitalizedAt(text: string, { kind, start, text: lower }: Token): boolean {
  // Most words have no capital letter, and an answer reads thousands of them.
  if (kind !== 'word' || text[start] === lower[0]) return false;
  return (
    /\p{Lu}/u.test(text[start] ?? '') && inSentence.test(text.slice(Math.max(0, start - 2), start))
  );
}

/** Signs that make a name of the word behind them, where a space or a quote stands before them. */
const sigil = /(?:^|[\s"'`“„«(])([:$%&~^]{1,2})$/;

function literalAt(text: string, { start, end }: Token): string | undefined {
  // Most words have none, and an answer reads thousands of them.
  if (!':$%&~^'.includes(text[start - 1] ?? ' ')) return undefined;
  const sign = sigil.exec(text.slice(Math.max(0, start - 3), start))?.[1];
  return sign === undefined ? undefined : sign + text.slice(start, end);
}

const remembered = new Map<string, string[]>();

/** Remembered, since an answer reads dozens of passages this way and most of their words are the same. */
function variantsOf({ text, kind }: Token): string[] {
  if (kind === 'whole') return [...wholeTerms(text, allLanguages), ...partNumbers(text)];
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const forms = [text, ...respellings(text)].flatMap((word) => termsOf(word, allLanguages));
  const variants = [...new Set([...forms, ...partNumbers(text)])];
  remembered.set(text, variants);
  return variants;
}

/**
 * The word as those mean it who type no accents: ae for ä, and Spanish endings (instalacion, garantia), which
 * have another stem than with their accent. Words of other languages get forms that no index holds.
 */
function respellings(word: string): string[] {
  const umlauts = word
    .replace(/ae/g, 'ä')
    .replace(/oe/g, 'ö')
    .replace(/(?<![aeq])ue/g, 'ü');
  const accents = word.replace(/on$/, 'ón').replace(/ia(s?)$/, 'ía$1');
  return [umlauts, accents].filter((spelling) => spelling !== word);
}

/** X200 is X-200, and the other way round. */
function partNumbers(word: string): string[] {
  const [, letters, digits] = /^(\p{L}+)[-‐‑]?(\p{N}+)$/u.exec(word) ?? [];
  if (letters === undefined || digits === undefined) return [];
  const plain = foldAccents(letters);
  return [`${plain}${digits}`, `${plain}_${digits}`];
}

function termsOf(word: string, languages: readonly Language[]): string[] {
  return languages.map((language) => termOf(word, language));
}

const rememberedTerms = new Map<Language, Map<string, string>>(
  allLanguages.map((language) => [language, new Map()]),
);

/** Remembered, since a text to be stored has most of its words from those before it. */
function indexTermOf(word: string, language: Language): string {
  const terms = rememberedTerms.get(language);
  const known = terms?.get(word);
  if (known !== undefined) return known;
  const term = termOf(word, language);
  if (terms !== undefined && terms.size >= MAX_REMEMBERED) terms.clear();
  terms?.set(word, term);
  return term;
}

/** The stem is taken with its accents, which the endings of a language need, and folded then. */
function termOf(word: string, language: Language): string {
  const stem = language !== 'other' && /^\p{L}+$/u.test(word) ? stemmers[language](word) : word;
  return encode(foldAccents(stem === '' ? word : stem));
}

/**
 * `foo.bar` is foo_bar, `c++` is c_pp, `--dry-run` is __dry_run and dry_run; a version's mark is optional (v2.1
 * and 2.1 are found by one another).
 */
function wholeTerms(whole: string, languages: readonly Language[]): string[] {
  const named = whole.replace(/\+\+$/, '_pp').replace(/#$/, '_sharp');
  const term = encode(foldAccents(named.replace(/[.\-‐‑]/g, '_')));
  const bare = term.replace(/^_+/, '').replace(/^v(?=\p{N})/u, '');
  // A part alone is in the index already.
  const further = bare === term || !/[_\p{N}]/u.test(bare) ? [] : [bare];
  return [...new Set([term, ...further, ...joinedTerms(whole, languages)])];
}

/** Words joined by hyphens as one word: e-mail, email. */
function joinedTerms(whole: string, languages: readonly Language[]): string[] {
  const words = /^[-‐‑]{0,2}(\p{L}+(?:[-‐‑]\p{L}+)+)$/u.exec(whole)?.[1];
  return words === undefined ? [] : termsOf(words.replace(/[-‐‑]/g, ''), languages);
}

/** Signs that are no letters, digits or `_`, such as the vowel signs of Indic scripts, as their codes. */
function encode(term: string): string {
  return foldCase(term)
    .replace(/[^\p{L}\p{N}_]/gu, (sign) => `_${(sign.codePointAt(0) ?? 0).toString(16)}`)
    .slice(0, MAX_TERM_CHARS);
}
