import { detectLanguage } from '../language/detect-language.js';
import type { Language } from '../language/language-pack.js';

/** Shorter prose does not identify its language. */
const minLetters = 60;
const minLettersOfOther = 120;
const sureLetters = 400;
const maxSample = 300;
/** A longer text is sampled at its beginning and middle: many open with a quotation, a name or a licence. */
const twoSamples = 4 * maxSample;

/** The running text of a section, without code, tables, part numbers, addresses and marks. */
function proseOf(content: string): string {
  const text = content.replace(/^( *`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, ' ').replace(/^\|.*$/gm, ' ');
  const beginning = wordsIn(text.slice(0, 2 * maxSample));
  if (text.length < twoSamples) return beginning;
  const middle = Math.floor(text.length / 2);
  return `${beginning} ${wordsIn(text.slice(middle, middle + 2 * maxSample))}`;
}

function wordsIn(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => !/[/\\@_=<>{}[\]|#\p{N}]/u.test(word))
    .join(' ')
    .slice(0, maxSample);
}

function letterCount(text: string): number {
  return text.replace(/[^\p{L}]+/gu, '').length;
}

/** True when both halves of a text indicate the language. Terse lists and captions rarely do so by chance. */
function halvesAgree(text: string, language: Language): boolean {
  const middle = Math.max(text.indexOf(' ', text.length / 2), 0);
  return [text.slice(0, middle), text.slice(middle)].every(
    (half) => detectLanguage(half) === language,
  );
}

/**
 * The language of each text, in the document's order. Short or code-heavy texts take the document's main language.
 * Between two texts of another language they take that one: a table in a chapter of that language.
 */
export function languagesOf(texts: readonly string[]): Language[] {
  const prose = texts.map(proseOf);
  const letters = prose.map(letterCount);
  const cjk = prose.map((text) =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u.test(text),
  );
  const found = prose.map((text, index) => {
    // A Chinese character carries as much information as a word.
    const enough = (letters[index] ?? 0) >= (cjk[index] === true ? minLetters / 4 : minLetters);
    return enough ? detectLanguage(text) : undefined;
  });
  const weights = new Map<Language, number>();
  found.forEach((language, index) => {
    if (language === undefined) return;
    weights.set(language, (weights.get(language) ?? 0) + (letters[index] ?? 0));
  });
  const ranked = [...weights].sort((a, b) => b[1] - a[1]);
  const main = ranked[0]?.[0] ?? detectLanguage(prose.join(' '));
  // A language other than the document's needs more evidence: a list of names resembles any language.
  const believed = found.map((language, index) => {
    if (language === undefined || language === main) return language;
    const count = letters[index] ?? 0;
    if (count < minLettersOfOther) return undefined;
    return count >= sureLetters || halvesAgree(prose[index] ?? '', language) ? language : undefined;
  });
  return between(believed).map((language) => language ?? main);
}

/** Gives texts without a language that of the nearest identified ones before and after, where both agree. */
function between(told: readonly (Language | undefined)[]): (Language | undefined)[] {
  const after: (Language | undefined)[] = [];
  let next: Language | undefined;
  for (let index = told.length - 1; index >= 0; index--) {
    after[index] = next;
    next = told[index] ?? next;
  }
  let before: Language | undefined;
  return told.map((language, index) => {
    if (language !== undefined) return (before = language);
    return before === after[index] ? before : undefined;
  });
}
