import { foldAccents, foldCase } from './fold.js';
import { tellLanguage } from './detect-language.js';
import type { Language } from './language-pack.js';
import { hasDigit } from './numbers.js';
import { isFunctionWord, languagePacks, packOf } from './packs.js';
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

const allLanguages: readonly Language[] = [
  ...languagePacks.map(({ language }) => language),
  'other',
];

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
      : [indexTermOf[language](token.text)],
  );
}

/** The words of a question without repeats. */
export const queryTerms: (text: string) => readonly QueryTerm[] = remembering(readTerms, 3000);

function readTerms(text: string): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const { language, sure } = tellLanguage(text);
  // "van" and "bin" are nouns of an English question; German ones have few such nouns, and quote English names.
  const spoken = sure && packOf(language)?.quotesEnglish !== true ? language : undefined;
  let whole: { end: number; joined: string[] } = { end: 0, joined: [] };
  for (const token of tokenize(text)) {
    if (token.kind === 'whole')
      whole = { end: token.end, joined: joinedTerms(token.text, allLanguages) };
    if (terms.has(token.text)) continue;
    // Where the text says email, both halves of a question's e-mail have been found.
    const joined = token.kind === 'word' && token.start < whole.end ? whole.joined : [];
    const literal = token.kind === 'word' ? literalAt(text, token) : undefined;
    const variants = withoutForeignStems(variantsOf(token), token, spoken);
    terms.set(token.text, {
      text: token.text,
      variants: joined.length === 0 ? variants : [...new Set([...variants, ...joined])],
      isStopWord:
        token.kind === 'word' && literal === undefined && isFunctionWord(token.text, spoken),
      ...(isCapitalizedAt(text, token) ? { isCapitalized: true as const } : {}),
      ...(literal === undefined ? {} : { literal }),
    });
  }
  return [...terms.values()];
}

/**
 * The terms of a question whose separated verbs mean what texts write as one word: "Wie lade ich … hoch" is "hochladen".
 * The prefix by itself tells nothing then.
 */
export function withWholeVerbs(terms: readonly QueryTerm[], text: string): readonly QueryTerm[] {
  const verbs = languagePacks.flatMap(({ language, separatedVerbs }) =>
    (separatedVerbs?.(text) ?? []).map((one) => ({ ...one, language })),
  );
  if (verbs.length === 0) return terms;
  return terms.map((term) => {
    const own = verbs.find(({ verb, prefix }) => verb === term.text || prefix === term.text);
    if (own === undefined) return term;
    const whole = own.joined.map((form) => termOf(form, own.language));
    const variants = [...new Set([...term.variants, ...whole])];
    return { ...term, variants, isStopWord: term.isStopWord || own.prefix === term.text };
  });
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

function variantsOf({ text, kind }: Token): string[] {
  if (kind === 'whole') return [...wholeTerms(text, allLanguages), ...partNumbers(text)];
  return variantsOfWord(text);
}

/** Remembered, since an answer reads dozens of passages this way and most of their words are the same. */
const variantsOfWord = remembering((text) => {
  const forms = [text, ...respellings(text)].flatMap((word) => termsOf(word, allLanguages));
  return [...new Set([...forms, ...partNumbers(text)])];
}, MAX_REMEMBERED);

/** Letters up to which a word that loses another language's ending becomes another word: "log" of an English "logo". */
const longestShort = 4;

function withoutForeignStems(
  variants: string[],
  { text, kind }: Token,
  spoken: Language | undefined,
): string[] {
  if (spoken === undefined || kind !== 'word' || text.length > longestShort) return variants;
  const isOwn = (form: string) => form.length >= text.length || form === indexTermOf[spoken](text);
  return variants.every(isOwn) ? variants : variants.filter(isOwn);
}

/** Its other spellings in each language. Words of other languages get forms that no index holds. */
function respellings(word: string): string[] {
  const spellings = languagePacks.flatMap(({ respell }) => respell?.(word) ?? []);
  return spellings.filter((spelling) => spelling !== word);
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

const termIn = (language: Language) =>
  remembering((word) => termOf(word, language), MAX_REMEMBERED);

/** Remembered, since a text to be stored has most of its words from those before it. */
const indexTermOf: Record<Language, (word: string) => string> = {
  en: termIn('en'),
  es: termIn('es'),
  de: termIn('de'),
  other: termIn('other'),
};

/** The stem is taken with its accents, which the endings of a language need, and folded then. */
function termOf(word: string, language: Language): string {
  const pack = packOf(language);
  const stem = pack !== undefined && /^\p{L}+$/u.test(word) ? pack.stem(word) : word;
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
