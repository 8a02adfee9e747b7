import type { AnswerKind, Language } from '../language/language-pack.js';
import { isNameOrNumber } from '../language/analyze.js';
import { packOf } from '../language/packs.js';
import {
  countsTheSame,
  hasDigit,
  isAmount,
  isNaming,
  isSameNumber,
  isYear,
  numbersIn,
  type NumberIn,
} from '../language/numbers.js';
import type { WeightedTerm } from '../search/search-passages.js';
import { isMeasure } from '../language/answer-kinds.js';
import { isAspect } from './follow-up.js';
import { isNameIn, shareOf, type UnitSigns, type WeighedPassage } from './weigh-passages.js';

/** What of a question decides, whatever the passage. */
export interface JudgedQuestion {
  kind: AnswerKind | undefined;
  terms: WeightedTerm[];
  language: Language;
  /** The words of it that name something, so that much is missed where no text knows them. */
  names: ReadonlySet<string>;
  /** The numbers that it asks about. */
  numbers: readonly NumberIn[];
}

/**
 * How much each sign speaks for a passage's holding the answer: a logistic regression on questions of XQuAD in
 * en, es and de and of SQuAD in en and es, asked of an index that holds their article, of one that lacks it, and of
 * another language's, each by the likeliest of its passages; checked on articles that it was not fitted to, and rounded.
 * `foreign` is smaller than fitted, since of some things only another language tells, `unknownNames` larger, since what
 * manuals do not name they do not explain, and `coverage` larger beside `words`, which values and kindred words do not
 * raise. `short`, `lacking` and `untold` were added afterwards: they refuse more of what the index does not answer, in
 * XQuAD and SQuAD alike, and no more of what it does. The constant puts 0.4, the
 * default of answers.min_relevance, to where about one answerable question in forty is refused. Few signs, so that a
 * refusal can be explained.
 */
const weights: Signs = {
  coverage: 3,
  window: 7,
  titled: 12,
  named: 2,
  words: 4,
  grams: 3,
  missedMost: -4,
  missedNames: -3,
  unknownNames: -9,
  foreign: -4,
  german: 1.35,
  short: -0.7,
  lacking: -3,
  untold: -2,
};
const constant = -8.15;
/**
 * The share of a short question that no text of the index knows beyond which nothing is likely: what it asks for is
 * among those words, and the rest of it is met by chance ("is there a docker image"). A long one says more than it
 * needs.
 */
const mostUnknown = 0.45;
/** Words that tell something up to which a question is short; in a language that joins them, fewer say as much. */
const shortQuestion = 3;
const shortJoined = 1;
/** And those that name a subject, up to which each of them counts as met by chance (Signs.short). */
const fewNames = 3;
const fewJoined = 2;
/** What a word must count in a passage to stand for one that no text has. */
export const standsFor = 0.5;
/** The share of a short question's subject below which a passage is more often about something else. */
const halfOfIt = 0.5;
/**
 * How far below the best sentence's score one may be that tells the number or the time asked for: farther below, it is
 * about something else.
 */
const nearlyBest = 2.5;

/** Words by which the language of a question is told surely. */
const surelyTold = 8;

/** What speaks for or against a passage; shares are of the question's weight, 0 to 1. */
export interface Signs {
  /** The share that stands in the passage or its title. */
  coverage: number;
  /** The share that stands about its best sentence. */
  window: number;
  /** The share that stands in the title or heading alone. */
  titled: number;
  /** The share that are names and numbers which stand in it. */
  named: number;
  /** What its stems and its grams make of the best passage's, or of half of the question where that has less. */
  words: number;
  grams: number;
  /** The share of the word that tells most of those which do not stand in it: what is asked for is seldom left out. */
  missedMost: number;
  /** The share that are names and numbers which do not stand in it: it is about others. */
  missedNames: number;
  /** The share that are names which no text of the index knows. */
  unknownNames: number;
  /** 1 where the passage is in another language, in which few words can be met but by chance; less for a few words. */
  foreign: number;
  /** 1 for a question in German, where all nouns look like names, and fewer words say as much. */
  german: number;
  /** 1 for a question with few words that name its subject: each of them is met by chance more easily. */
  short: number;
  /** What the passage lacks of half of such a question's subject, 0 to 0.5. */
  lacking: number;
  /** 1 where a number or a time is asked for, and the best sentence has none. */
  untold: number;
}

/**
 * Whether a passage has a word that names the subject of the question, in any form or with one typing error. Many things
 * are valid: in "How long is … valid", the word "valid" counts only where the question names nothing else.
 */
export function hasEvidence(terms: WeightedTerm[], { matches }: WeighedPassage): boolean {
  const subject = subjectOf(terms);
  return terms.some((term, index) => subject.has(term) && (matches[index] ?? 0) >= standsFor);
}

/** The words that name what is asked about; where all ask for a side of something, those. */
function subjectOf(terms: readonly WeightedTerm[]): ReadonlySet<WeightedTerm> {
  const telling = terms.filter((term) => !term.isStopWord);
  const naming = telling.filter((term) => !isAspect(term.text));
  return new Set(naming.length > 0 ? naming : telling);
}

/** Whether a passage has what is surely told where it is asked for: a number, how long or how often. */
export function tellsMeasure(kind: AnswerKind | undefined, { units }: WeighedPassage): boolean {
  if (!isMeasure(kind)) return true;
  const best = Math.max(...units.map(({ score }) => score));
  return units.some(({ score, signs }) => signs.kind > 0 && score >= best - nearlyBest);
}

/**
 * Whether what a question asks for is known to no text, or named by a number or a sign ("code 4", ":name") that is not
 * in the passage, so that it can't hold the answer.
 */
export function asksUnknown(question: JudgedQuestion, weighed: WeighedPassage): boolean {
  const { kind, terms, language } = question;
  const { matches } = weighed;
  if (lacksNumber(question, weighed)) return true;
  const lacksName = terms.some(
    (term, index) => isNameIn(kind, term) && (matches[index] ?? 0) < standsFor,
  );
  if (lacksName) return true;
  const telling = terms.filter((term) => !term.isStopWord);
  if (telling.length > (joinsWords(language) ? shortJoined : shortQuestion)) return false;
  const unknown = terms.map(({ known }, index) =>
    !known && (matches[index] ?? 0) < standsFor ? 1 : 0,
  );
  return shareOf(terms, unknown) > mostUnknown;
}

/**
 * Whether a passage lacks a number of the question, and so is about another part or version. A small number counts only
 * where its word is in the passage: "code 4", but not "for 2 people". A year counts as a name does, and may be missing.
 */
function lacksNumber(
  { terms, numbers }: JudgedQuestion,
  { matches, passage }: WeighedPassage,
): boolean {
  if (numbers.length === 0) return false;
  const held = numbersIn(`${passage.title}\n${passage.body}`);
  const isHeld = (word: string) =>
    terms.some(
      ({ text, isStopWord }, index) =>
        text === word && !isStopWord && !hasDigit(text) && (matches[index] ?? 0) >= standsFor,
    );
  return numbers.some(
    (number) =>
      !isAmount(number) &&
      !isYear(number) &&
      (isNaming(number) || isHeld(number.before)) &&
      !held.some((other) => isSameNumber(number, other) || countsTheSame(number, other)),
  );
}

/** How likely a passage with these signs holds the answer to the question, 0 to 1. */
export function likelihood(signs: Signs): number {
  let sum = constant;
  for (const sign of Object.keys(weights) as (keyof Signs)[]) sum += weights[sign] * signs[sign];
  return 1 / (1 + Math.exp(-sum));
}

export function signsOf(
  { kind, terms, names, language }: JudgedQuestion,
  { matches, coverage, units, passage }: WeighedPassage,
  isForeign: boolean,
): Signs {
  const best = units.reduce<(typeof units)[number] | undefined>(
    (top, unit) => (top === undefined || unit.score > top.score ? unit : top),
    undefined,
  );
  const shareWhere = (counts: (term: WeightedTerm, match: number) => number) =>
    shareOf(
      terms,
      terms.map((term, index) => counts(term, matches[index] ?? 0)),
    );
  // "What does it mean": a word that only asks is not missed.
  const isMissed = (term: WeightedTerm, match: number) =>
    !term.isStopWord && match < standsFor && !isAspect(term.text);
  const missed = terms.filter((term, index) => isMissed(term, matches[index] ?? 0));
  const most = Math.max(0, ...missed.map(({ weight }) => weight));
  const subject = subjectOf(terms);
  const isShort = subject.size <= (joinsWords(language) ? fewJoined : fewNames);
  const ofSubject = terms.map((term) => (subject.has(term) ? term : { ...term, weight: 0 }));
  return {
    coverage,
    window: best === undefined ? 0 : windowOf(best.signs),
    titled: best?.signs.titled ?? 0,
    named: shareWhere((term, match) => (isNameOrNumber(term) ? match : 0)),
    words: passage.parts.words,
    grams: passage.parts.grams,
    missedMost: most / Math.max(Number.MIN_VALUE, sumOf(terms)),
    missedNames: shareWhere((term, match) =>
      isNameOrNumber(term) && isMissed(term, match) ? 1 : 0,
    ),
    // A compound or an ending that no text has may stand for a word that the passage has.
    unknownNames: shareWhere((term, match) =>
      !term.known && match === 0 && names.has(term.text) ? 1 : 0,
    ),
    foreign: isForeign ? Math.min(1, terms.length / surelyTold) : 0,
    german: joinsWords(language) ? 1 : 0,
    short: isShort ? 1 : 0,
    lacking: isShort ? Math.max(0, halfOfIt - shareOf(ofSubject, matches)) : 0,
    untold: isMeasure(kind) && (best?.signs.kind ?? 0) <= 0 ? 1 : 0,
  };
}

function joinsWords(language: Language): boolean {
  return packOf(language)?.joinsWords === true;
}

function sumOf(terms: WeightedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

/** What stands in a unit and, counting less, in its neighbours alone. */
function windowOf({ own, before, after, twoBefore }: UnitSigns): number {
  return own + 0.4 * before + 0.2 * after + 0.2 * twoBefore;
}

/**
 * The names among the words of a question of which it counts that no text knows them, in lower case. In German, where
 * nouns have capitals, only abbreviations and the like of iPhone.
 */
export function namesIn(
  question: string,
  terms: readonly WeightedTerm[],
  language: Language,
): ReadonlySet<string> {
  const abbreviations = matchesOf(
    question,
    /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{Lu}\p{N}]+|\p{L}*\p{Ll}\p{Lu}[\p{L}\p{N}]*)(?![\p{L}\p{N}])/gu,
  );
  const capitalized = terms.filter(({ isCapitalized }) => isCapitalized === true);
  return new Set([
    ...abbreviations,
    ...(packOf(language)?.capitalizesNouns === true ? [] : capitalized.map(({ text }) => text)),
  ]);
}

function matchesOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([name]) => name.normalize('NFKC').toLowerCase());
}
