import type { Language, LanguageSigns } from './language-pack.js';
import { neighbours } from './neighbours.js';
import { languagePacks, wordSet } from './packs.js';
import { remembering } from './remember.js';

/** Of a long text the beginning decides: more of it changes nothing but the time. */
const CHARS_READ = 2000;

/** The seven neighbours share many words with the three, and few users write in them. */
const HANDICAP = 0.75;

/** Signs of a language beyond those of the next that a text must have to tell it alone: half a function word of its own. */
const SURE_LEAD = 0.75;
/** And what it must have where no function word is among them: endings and letters look alike in several. */
const SURE_LEAD_OF_NAMES = 2;
/** Punctuation of one language alone says as much as a function word of its own. */
const PUNCTUATION_SAYS = 3;

/** The languages of the packs, and the neighbours that would else be taken for one of them. */
const candidates: readonly (LanguageSigns & { language: Language; words: ReadonlySet<string> })[] =
  [
    ...languagePacks.map(({ language, signs, functionWords, courtesies }) => {
      return { language, ...signs, words: wordSet(functionWords, courtesies) };
    }),
    ...neighbours.map((one) => ({ ...one, language: 'other' as const, words: wordSet(one.words) })),
  ];
type Candidate = (typeof candidates)[number];

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
  for (const candidate of candidates) {
    const { language, punctuation } = candidate;
    const marks = punctuation?.test(sample) === true ? PUNCTUATION_SAYS : 0;
    const sum = marks + score(words, candidate) * (language === 'other' ? HANDICAP : 1);
    scores.set(language, Math.max(sum, scores.get(language) ?? 0));
  }
  const [first, second] = [...scores].sort(([, one], [, other]) => other - one);
  if (first === undefined || first[1] < 1) return { language: undefined, sure: false };
  const [language, signs] = first;
  const isProse = candidates.some(
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

function score(words: string[], signs: Candidate): number {
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
  const sharing = candidates.filter((signs) => signs.words.has(word)).length;
  return 3 / sharing;
}
