import { queryTerms } from '../language/analyze.js';
import { foldAccents } from '../language/fold.js';
import { tellLanguage } from '../language/detect-language.js';
import { inAnyLanguage, languagePacks, wordsOfAll } from '../language/packs.js';

/** What a message says of its own, and whether it needsContext on what was said or shown before. */
export interface FollowUp {
  /** The words that name something, as terms of a search have them: "and on Windows?" has one, "why?" none. */
  ownWords: ReadonlySet<string>;
  /** Whether it speaks of something that it does not name: "and …", "it", "this", or nothing of its own. */
  needsContext: boolean;
  /** Whether it does so by a word such as "it" or "that". */
  hasPronoun: boolean;
}

/** Words beyond which a message says by itself what it is about. */
const longestFollowUp = 4;

const aspects = wordsOfAll(({ followUps }) => followUps.aspects);

/** Words by which a text means what it is about as a whole. */
const subject = inAnyLanguage(({ followUps }) => followUps.subjects);
const subjects = new RegExp(`^(?:${subject})$`);
/** The same in a message, where it means that and no other: "the product", not "the Apollo program". */
const theSubject = new RegExp(
  String.raw`(?<!\p{L})(?:${inAnyLanguage(({ followUps }) => followUps.beforeSubjects)}) (${subject})(?!\p{L})`,
  'giu',
);
/** Beginnings that go on with what was said. */
const goingOn = new RegExp(
  String.raw`^\P{L}*(?:${inAnyLanguage(({ followUps }) => followUps.beginnings)})(?![\p{L}\p{N}])`,
  'u',
);
/** Words that mean one of several things said by its place among them, without accents. */
const byPlace = new RegExp(
  String.raw`\b(?:${inAnyLanguage(({ followUps }) => followUps.articles)})\s(?:${inAnyLanguage(({ followUps }) => followUps.places)})[^\p{L}\p{N}]*$`,
  'u',
);

/** Whether a message ends with what it means by its place in what was said: "and the last one?". */
export function refersByPosition(text: string): boolean {
  return byPlace.test(foldAccents(text.toLowerCase()));
}

/** Whether a word asks for a side of a subject, and names none. */
export function isAspect(word: string): boolean {
  return aspects.has(foldAccents(word));
}

/** Whether a word of a heading stands for what the whole text is about: "Installing the program". */
export function isSubject(word: string): boolean {
  return subjects.test(word);
}

/** The words of a message that stand for what the knowledge is about, whatever that calls itself. */
export function subjectsIn(message: string): ReadonlySet<string> {
  return new Set([...message.matchAll(theSubject)].map(([, word = '']) => word.toLowerCase()));
}

export function readFollowUp(text: string): FollowUp {
  const terms = queryTerms(text).filter((term) => !term.isStopWord);
  const own = terms.filter((term) => !isAspect(term.text));
  const plain = foldAccents(text.toLowerCase());
  const isShort = own.length <= longestFollowUp;
  // "Es" is a verb in Spanish, and a pronoun in German.
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

/** Whether a message that finds nothing by itself may be meant as going on. */
export function mayBeFollowUp({ ownWords }: FollowUp): boolean {
  return ownWords.size <= longestFollowUp;
}
