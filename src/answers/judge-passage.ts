import { allMatches } from '../platform/text/all-matches.js';
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

/** The facts of a question by which passages are judged. */
export interface QuestionFacts {
  kind: AnswerKind | undefined;
  terms: WeightedTerm[];
  language: Language;
  /** The words that name something. Their absence from all texts counts strongly. */
  names: ReadonlySet<string>;
  numbers: readonly NumberIn[];
}

/**
 * The weight of each sign for the probability that a passage contains the answer. The weights come from a logistic
 * regression on questions of XQuAD (en, es, de) and SQuAD (en, es). Each question was asked of an index with its
 * article, of one without it, and of one in another language, and its likeliest passage was used. The weights were
 * checked on other articles and rounded. `foreign` is smaller than fitted, because some facts exist only in another
 * language. `unknownNames` is larger, because manuals do not explain what they do not name. `coverage` is larger than
 * `words`, because values and related words do not raise `words`. `short`, `lacking` and `untold` were added later:
 * they refuse more unanswerable questions in XQuAD and SQuAD, and no more answerable ones. With this constant, 0.4 (the
 * default of answers.min_relevance) refuses about one in forty answerable questions. Few signs, so that a refusal can
 * be explained.
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
  compounds: 1.35,
  short: -0.7,
  lacking: -3,
  untold: -2,
};
const constant = -8.15;
/**
 * If more than this share of a short question is unknown to the index, nothing is likely. The unknown words are its
 * subject, and the rest matches by chance ("is there a docker image"). A long question has more words than it needs.
 */
const mostUnknown = 0.45;
/** A question with at most this many meaningful words is short; fewer in a language with compounds. */
const shortQuestion = 3;
const shortJoined = 1;
/** With at most this many words for its subject, each of them may match by chance (Signs.short). */
const fewNames = 3;
const fewJoined = 2;
/** The weight that a word must have in a passage to replace a word that no text contains. */
export const standsFor = 0.5;
/** Below this share of a short question's subject, a passage is usually about something else. */
const halfOfIt = 0.5;
/**
 * A sentence with the requested number or time counts only within this distance of the best score. Farther below, it is
 * about something else.
 */
const nearlyBest = 2.5;

/** From this many words on, the language of a question is certain. */
const surelyTold = 8;

/** The signs for or against a passage. Shares are of the question's weight, 0 to 1. */
export interface Signs {
  /** The share in the passage or its title. */
  coverage: number;
  /** The share around its best sentence. */
  window: number;
  /** The share in the title or heading alone. */
  titled: number;
  /** The share of names and numbers that it contains. */
  named: number;
  /** The scores of its stems and grams relative to the best passage, or to half of the question if that is more. */
  words: number;
  grams: number;
  /** The share of the most important missing word: a text rarely omits what is asked for. */
  missedMost: number;
  /** The share of names and numbers that it does not contain: it is about others. */
  missedNames: number;
  /** The share of names that no text of the index contains. */
  unknownNames: number;
  /** 1 for a passage in another language, in which few words match except by chance; less for few words. */
  foreign: number;
  /** 1 for a question in a language that joins words: fewer of them say as much. */
  compounds: number;
  /** 1 for a question that names its subject in few words: each may match by chance. */
  short: number;
  /** The part that the passage lacks of half of such a question's subject, 0 to 0.5. */
  lacking: number;
  /** 1 when the question asks for a number or time and the best sentence has none. */
  untold: number;
}

/**
 * True when a passage contains a word for the question's subject, in any form or with one typo. In "How long is …
 * valid", the word "valid" counts only if the question names nothing else, because many things are valid.
 */
export function hasEvidence(terms: WeightedTerm[], { matches }: WeighedPassage): boolean {
  const subject = subjectOf(terms);
  return terms.some((term, index) => subject.has(term) && (matches[index] ?? 0) >= standsFor);
}

/** The words for the subject of a question; if all words ask for an aspect, those. */
function subjectOf(terms: readonly WeightedTerm[]): ReadonlySet<WeightedTerm> {
  const telling = terms.filter((term) => !term.isStopWord);
  const naming = telling.filter((term) => !isAspect(term.text));
  return new Set(naming.length > 0 ? naming : telling);
}

/** True when a passage contains a measure that the question requires: a number, a duration or a frequency. */
export function tellsMeasure(kind: AnswerKind | undefined, { units }: WeighedPassage): boolean {
  if (!isMeasure(kind)) return true;
  const best = Math.max(...units.map(({ score }) => score));
  return units.some(({ score, signs }) => signs.kind > 0 && score >= best - nearlyBest);
}

/**
 * True when a passage can't contain the answer: the index does not know the subject, or the passage lacks the number or
 * sign that names it ("code 4", ":name").
 */
export function asksUnknown(question: QuestionFacts, weighed: WeighedPassage): boolean {
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
 * True when a passage lacks a number of the question, and so concerns another part or version. A small number counts
 * only if its word is in the passage: "code 4", but not "for 2 people". A year counts as a name and may be missing.
 */
function lacksNumber(
  { terms, numbers }: QuestionFacts,
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

/** The probability that a passage with these signs contains the answer, 0 to 1. */
export function likelihood(signs: Signs): number {
  let sum = constant;
  for (const sign of Object.keys(weights) as (keyof Signs)[]) sum += weights[sign] * signs[sign];
  return 1 / (1 + Math.exp(-sum));
}

export function signsOf(
  { kind, terms, names, language }: QuestionFacts,
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
  // "What does it mean": a missing word that only asks does not count.
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
    // A compound or ending that no text contains may mean a word of the passage.
    unknownNames: shareWhere((term, match) =>
      !term.known && match === 0 && names.has(term.text) ? 1 : 0,
    ),
    foreign: isForeign ? Math.min(1, terms.length / surelyTold) : 0,
    compounds: joinsWords(language) ? 1 : 0,
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

/** The weight in a unit and, counting less, in its neighbours alone. */
function windowOf({ own, before, after, twoBefore }: UnitSigns): number {
  return own + 0.4 * before + 0.2 * after + 0.2 * twoBefore;
}

/**
 * The names in a question, in lower case: words that count when no text contains them. In German, where all nouns have
 * capitals, only abbreviations and words like iPhone.
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
  return allMatches(text, pattern).map(([name]) => name.normalize('NFKC').toLowerCase());
}
