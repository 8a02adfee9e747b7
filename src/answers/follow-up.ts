import { allMatches } from '../platform/text/all-matches.js';
import { queryTerms } from '../language/analyze.js';
import { foldAccents } from '../language/fold.js';
import { tellLanguage } from '../language/detect-language.js';
import { inAnyLanguage, languagePacks, wordsOfAll } from '../language/packs.js';

/** The words of a message, and whether it depends on its context. */
export interface FollowUp {
  /** The words that name something, as search terms: "and on Windows?" has one, "why?" has none. */
  ownWords: ReadonlySet<string>;
  /** True when it refers to something that it does not name: "and …", "it", "this", or no word of its own. */
  needsContext: boolean;
  /** True when it does so by a pronoun such as "it" or "that". */
  hasPronoun: boolean;
}

/** A message with more words names its own subject. */
const longestFollowUp = 4;

const aspects = wordsOfAll(({ followUps }) => followUps.aspects);

/** Words for the subject of a whole text. */
const subject = inAnyLanguage(({ followUps }) => followUps.subjects);
const subjects = new RegExp(`^(?:${subject})$`);
/** The same words in a message, where they mean only that subject: "the product", not "the Apollo program". */
const theSubject = new RegExp(
  String.raw`(?<!\p{L})(?:${inAnyLanguage(({ followUps }) => followUps.beforeSubjects)}) (${subject})(?!\p{L})`,
  'giu',
);
/** Beginnings that continue the conversation. */
const goingOn = new RegExp(
  String.raw`^\P{L}*(?:${inAnyLanguage(({ followUps }) => followUps.beginnings)})(?![\p{L}\p{N}])`,
  'u',
);
/** Words that select one of several things by its position, without accents. */
const byPlace = new RegExp(
  String.raw`\b(?:${inAnyLanguage(({ followUps }) => followUps.articles)})\s(?:${inAnyLanguage(({ followUps }) => followUps.places)})[^\p{L}\p{N}]*$`,
  'u',
);

/** True when a message ends with a reference by position: "and the last one?". */
export function refersByPosition(text: string): boolean {
  return byPlace.test(foldAccents(text.toLowerCase()));
}

/** True when a word asks for an aspect of a subject and names none. */
export function isAspect(word: string): boolean {
  return aspects.has(foldAccents(word));
}

/** True when a word of a heading means the subject of the whole text: "Installing the program". */
export function isSubject(word: string): boolean {
  return subjects.test(word);
}

/** The words of a message that stand for the subject of the knowledge. */
export function subjectsIn(message: string): ReadonlySet<string> {
  return new Set(allMatches(message, theSubject).map(([, word = '']) => word.toLowerCase()));
}

export function readFollowUp(text: string): FollowUp {
  const terms = queryTerms(text).filter((term) => !term.isStopWord);
  const own = terms.filter((term) => !isAspect(term.text));
  const plain = foldAccents(text.toLowerCase());
  const isShort = own.length <= longestFollowUp;
  // "Es" is a verb in Spanish and a pronoun in German.
  const told = tellLanguage(text);
  const spoken = languagePacks.filter((pack) => !told.sure || told.language === pack.language);
  const hasPronoun =
    isShort &&
    spoken.some(
      ({ followUps }) =>
        followUps.pronouns.some((sign) => sign.test(plain)) ||
        followUps.pronounsAsTyped?.test(text) === true,
    );
  const needsContext = hasPronoun || (isShort && (own.length === 0 || goingOn.test(plain)));
  return { ownWords: new Set(own.map((term) => term.text)), needsContext, hasPronoun };
}

/** True when a message that finds nothing alone may be a follow-up. */
export function mayBeFollowUp({ ownWords }: FollowUp): boolean {
  return ownWords.size <= longestFollowUp;
}
