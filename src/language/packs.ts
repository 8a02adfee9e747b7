import { english } from './english.js';
import { german } from './german.js';
import type { Language, LanguagePack } from './language-pack.js';
import { spanish } from './spanish.js';

export const languagePacks: readonly LanguagePack[] = [english, spanish, german];

const byLanguage = new Map(languagePacks.map((pack) => [pack.language as Language, pack]));

export function packOf(language: Language | undefined): LanguagePack | undefined {
  return language && byLanguage.get(language);
}

/** Joins one part of a pattern for all languages. */
export function inAnyLanguage(part: (pack: LanguagePack) => string): string {
  return languagePacks.map(part).join('|');
}

export function wordSet(...lists: string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.trim().split(/\s+/)));
}

export function wordsOfAll(list: (pack: LanguagePack) => string): ReadonlySet<string> {
  return wordSet(...languagePacks.map(list));
}

const functionWords = new Map(
  languagePacks.map((pack) => [pack.language as Language, wordSet(pack.functionWords)]),
);
const anyFunctionWords = wordsOfAll((pack) => pack.functionWords);
/** The rest of "don't", "it's" and "we've" when words contain only letters. */
const contractions = wordSet('d ll m re s t ve');

/** True when a word (in lower case) is a function word of the language; of any language without one. */
export function isFunctionWord(word: string, language?: Language): boolean {
  if (contractions.has(word)) return true;
  const own = language && functionWords.get(language);
  return (own ?? anyFunctionWords).has(word);
}
