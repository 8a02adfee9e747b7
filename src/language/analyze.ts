import { foldAccents, foldCase } from './fold.js';
import { tellLanguage } from './detect-language.js';
import { languages, type Language } from './language-pack.js';
import { hasDigit } from './numbers.js';
import { isFunctionWord, languagePacks, packOf } from './packs.js';
import { remembering } from '../platform/remember.js';
import { tokenize, type Token } from './tokenize.js';

export { tokenize, type Token } from './tokenize.js';

/** A word of a question, with every form that an index of any language may contain. */
export interface QueryTerm {
  /** As typed, in NFKC and lower case. */
  text: string;
  /** All terms of the same word share this array. */
  variants: string[];
  /** True for a function word of the text's language, or of any language if that is unknown. Used for weighting. */
  isStopWord: boolean;
  /** True for a capital letter inside a sentence: a name, or a noun of German. */
  isCapitalized?: true;
  /** The word with the sign before it that makes it a name, as typed: ":name", "$HOME". */
  literal?: string;
}

/** True for a name or a number: a text without it is about something else. */
export function isNameOrNumber({ text, isCapitalized }: QueryTerm): boolean {
  return isCapitalized === true || hasDigit(text);
}

/** Longer runs are keys or encoded data. Only their beginning is indexed. */
const MAX_TERM_CHARS = 64;
/** The most cached words; an average vocabulary is a tenth of it. */
const MAX_REMEMBERED = 30_000;

/** The index terms of a text, in order. Each consists only of letters, digits and `_`. */
export function indexTerms(text: string, language: Language): string[] {
  return tokenize(text).flatMap((token) =>
    token.kind === 'whole'
      ? wholeTerms(token.text, [language])
      : [indexTermOf[language](token.text)],
  );
}

/** The words of a question, without repeats. */
export const queryTerms: (text: string) => readonly QueryTerm[] = remembering(readTerms, 3000);

function readTerms(text: string): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const { language, sure } = tellLanguage(text);
  // "van" and "bin" are English nouns. German has few such nouns, and German questions quote English names.
  const spoken = sure && packOf(language)?.quotesEnglish !== true ? language : undefined;
  let whole: { end: number; joined: string[] } = { end: 0, joined: [] };
  for (const token of tokenize(text)) {
    if (token.kind === 'whole')
      whole = { end: token.end, joined: joinedTerms(token.text, languages) };
    if (terms.has(token.text)) continue;
    // A text with "email" contains both halves of a question's "e-mail".
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
 * The terms of a question, with separated verbs in the joined form of texts: "Wie lade ich … hoch" becomes "hochladen".
 * The prefix alone then means nothing.
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

/** The characters before a word inside a sentence; the first word has a capital letter anyway. */
const inSentence = /[\p{L}\p{N},;()"“'] ?$/u;

function isCapitalizedAt(text: string, { kind, start, text: lower }: Token): boolean {
  // A fast path: most words have no capital letter, and an answer reads thousands of words.
  if (kind !== 'word' || text[start] === lower[0]) return false;
  return (
    /\p{Lu}/u.test(text[start] ?? '') && inSentence.test(text.slice(Math.max(0, start - 2), start))
  );
}

/** Signs that make a name of the next word, if a space or a quote precedes them. */
const sigil = /(?:^|[\s"'`“„«(])([:$%&~^]{1,2})$/;

function literalAt(text: string, { start, end }: Token): string | undefined {
  // A fast path: most words have none, and an answer reads thousands of words.
  if (!':$%&~^'.includes(text[start - 1] ?? ' ')) return undefined;
  const sign = sigil.exec(text.slice(Math.max(0, start - 3), start))?.[1];
  return sign === undefined ? undefined : sign + text.slice(start, end);
}

function variantsOf({ text, kind }: Token): string[] {
  if (kind === 'whole') return [...wholeTerms(text, languages), ...partNumbers(text)];
  return variantsOfWord(text);
}

/** Cached, because an answer reads dozens of passages with mostly the same words. */
const variantsOfWord = remembering((text) => {
  const forms = [text, ...respellings(text)].flatMap((word) => termsOf(word, languages));
  return [...new Set([...forms, ...partNumbers(text)])];
}, MAX_REMEMBERED);

/** Up to this length, a word without another language's ending becomes another word: "log" from "logo". */
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

/** A word's other spellings in each language. Wrong languages give forms that no index contains. */
function respellings(word: string): string[] {
  const spellings = languagePacks.flatMap(({ respell }) => respell?.(word) ?? []);
  return spellings.filter((spelling) => spelling !== word);
}

/** X200 also means X-200, and the reverse. */
function partNumbers(word: string): string[] {
  const [, letters, digits] = /^(\p{L}+)[-‐‑]?(\p{N}+)$/u.exec(word) ?? [];
  if (letters === undefined || digits === undefined) return [];
  const plain = foldAccents(letters);
  return [`${plain}${digits}`, `${plain}_${digits}`];
}

function termsOf(word: string, languages: readonly Language[]): string[] {
  return languages.map((language) => termOf(word, language));
}

/** Cached, because most words of a text occurred in earlier texts. */
const indexTermOf = Object.fromEntries(
  languages.map((language) => [
    language,
    remembering((word) => termOf(word, language), MAX_REMEMBERED),
  ]),
) as Record<Language, (word: string) => string>;

/** The stem is computed with accents, which a language's endings need, and folded afterwards. */
function termOf(word: string, language: Language): string {
  const pack = packOf(language);
  const stem = pack !== undefined && /^\p{L}+$/u.test(word) ? pack.stem(word) : word;
  return encode(foldAccents(stem === '' ? word : stem));
}

/**
 * `foo.bar` becomes foo_bar, `c++` becomes c_pp, `--dry-run` becomes __dry_run and dry_run. The v of a version is
 * optional: v2.1 and 2.1 match each other.
 */
function wholeTerms(whole: string, languages: readonly Language[]): string[] {
  const named = whole.replace(/\+\+$/, '_pp').replace(/#$/, '_sharp');
  const term = encode(foldAccents(named.replace(/[.\-‐‑]/g, '_')));
  const bare = term.replace(/^_+/, '').replace(/^v(?=\p{N})/u, '');
  // The index already contains a single part.
  const further = bare === term || !/[_\p{N}]/u.test(bare) ? [] : [bare];
  return [...new Set([term, ...further, ...joinedTerms(whole, languages)])];
}

/** Words joined by hyphens, as one word: e-mail becomes email. */
function joinedTerms(whole: string, languages: readonly Language[]): string[] {
  const words = /^[-‐‑]{0,2}(\p{L}+(?:[-‐‑]\p{L}+)+)$/u.exec(whole)?.[1];
  return words === undefined ? [] : termsOf(words.replace(/[-‐‑]/g, ''), languages);
}

/** Replaces signs other than letters, digits and `_`, such as the vowel signs of Indic scripts, by their codes. */
function encode(term: string): string {
  return foldCase(term)
    .replace(/[^\p{L}\p{N}_]/gu, (sign) => `_${(sign.codePointAt(0) ?? 0).toString(16)}`)
    .slice(0, MAX_TERM_CHARS);
}
