import { languageSigns, type LanguageSigns } from './language-signs.js';

/** The languages with an analysis of their own; everything else is searched by its plain words. */
export type Language = 'en' | 'es' | 'de' | 'other';

/** Of a long text the beginning decides: more of it changes nothing but the time. */
const CHARS_READ = 2000;

/** The seven neighbours share many words with the three, and few users write in them. */
const HANDICAP = 0.75;

/**
 * The language of a question or a passage: by its script, its function words, and the letters and endings of
 * its words. `fallback`, or else `other`, where nothing speaks for any language (`SQLite 3.45`).
 *
 * A detector of our own, since this runs on each question in the server's thread: the smallest data set of the
 * eld package takes 0.6 s to load and 30 MB to keep, and is no better on questions.
 */
export function detectLanguage(text: string, fallback: Language = 'other'): Language {
  const sample = text.slice(0, CHARS_READ).normalize('NFC');
  // A character of these scripts says as much as half a word does elsewhere.
  const dense = sample.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu,
  );
  const letters = (sample.match(/\p{L}/gu)?.length ?? 0) + 2 * (dense?.length ?? 0);
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters > 0 && latin < letters / 2) return 'other';
  const words = sample.toLowerCase().match(/\p{Script=Latin}+/gu) ?? [];
  const scores = languageSigns.map((signs) => {
    const sum = score(words, signs);
    return signs.language === 'other' ? sum * HANDICAP : sum;
  });
  const best = Math.max(...scores);
  const found = languageSigns[scores.indexOf(best)];
  return found === undefined || best < 1 ? fallback : found.language;
}

function score(words: string[], signs: LanguageSigns): number {
  let sum = 0;
  for (const word of words) {
    if (signs.words.has(word)) sum += rarity(word);
    else {
      if (signs.strong.test(word)) sum += 1;
      if (signs.weak.test(word)) sum += 0.5;
    }
  }
  return sum;
}

/** A function word says the less the more languages have it (`de` seven of ten, `the` one). */
function rarity(word: string): number {
  const sharing = languageSigns.filter((signs) => signs.words.has(word)).length;
  return 3 / sharing;
}
