import { languageSigns, type LanguageSigns } from './language-signs.js';
import { remembering } from './remember.js';

/** The languages with an analysis of their own; everything else is searched by its plain words. */
export type Language = 'en' | 'es' | 'de' | 'other';

/** Of a long text the beginning decides: more of it changes nothing but the time. */
const CHARS_READ = 2000;

/** The seven neighbours share many words with the three, and few users write in them. */
const HANDICAP = 0.75;

/** Signs of a language beyond those of the next that a text must have to tell it alone: half a function word of its own. */
const SURE_LEAD = 0.75;
/** And what it must have where no function word is among them: endings and letters look alike in several. */
const SURE_LEAD_OF_NAMES = 2;
/** Punctuation that is written in Spanish alone, as many signs as a function word of its own. */
const spanishMarks = /[¿¡]/u;
const SPANISH_MARKS_SAY = 3;

/** What a text says of its own language. */
export interface ToldLanguage {
  /** The likeliest; `undefined` where nothing speaks for any. */
  language: Language | undefined;
  /** Whether it is so alone: `access token` might as well be German. */
  sure: boolean;
}

/**
 * The language of a question or a passage: by its script, its function words, and the letters and endings of
 * its words. `fallback`, or else `other`, where nothing speaks for any language (`SQLite 3.45`).
 *
 * A detector of our own, since this runs on each question in the server's thread: the smallest data set of the
 * eld package takes 0.6 s to load and 30 MB to keep, and is no better on questions.
 */
export function detectLanguage(text: string, fallback: Language = 'other'): Language {
  return tellLanguage(text).language ?? fallback;
}

/** The same, and whether the text alone tells: a few words often do not, and what is around them must. */
export const tellLanguage: (text: string) => Readonly<ToldLanguage> = remembering(
  readLanguage,
  1000,
);

function readLanguage(text: string): ToldLanguage {
  const sample = text.slice(0, CHARS_READ).normalize('NFC');
  // A character of these scripts says as much as half a word does elsewhere.
  const dense = sample.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu,
  );
  const letters = (sample.match(/\p{L}/gu)?.length ?? 0) + 2 * (dense?.length ?? 0);
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters > 0 && latin < letters / 2) return { language: 'other', sure: true };
  const words = wordsOf(sample);
  const scores = new Map<Language, number>();
  for (const signs of languageSigns) {
    const { language } = signs;
    const marks = language === 'es' && spanishMarks.test(sample) ? SPANISH_MARKS_SAY : 0;
    const sum = marks + score(words, signs) * (language === 'other' ? HANDICAP : 1);
    scores.set(language, Math.max(sum, scores.get(language) ?? 0));
  }
  const [first, second] = [...scores].sort(([, one], [, other]) => other - one);
  if (first === undefined || first[1] < 1) return { language: undefined, sure: false };
  const [language, signs] = first;
  const isProse = languageSigns.some(
    (one) => one.language === language && words.some((word) => one.words.has(word)),
  );
  const lead = signs - (second?.[1] ?? 0);
  return { language, sure: lead >= (isProse ? SURE_LEAD : SURE_LEAD_OF_NAMES) };
}

/** The words of prose: a name such as `too_many_pages` or `server.port` is the same in any language. */
function wordsOf(sample: string): string[] {
  const prose = sample
    .split(/\s+/)
    .filter((run) => !/_|[\p{L}\p{N}][./@\\][\p{L}\p{N}]/u.test(run));
  return (
    prose
      .join(' ')
      .toLowerCase()
      .match(/\p{Script=Latin}+/gu) ?? []
  );
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
