import type { Language } from '../platform/text/languages.js';
import type { WeightedTerm } from '../retrieval/search-passages.js';
import type { AnswerKind } from '../platform/text/answer-kinds.js';
import { isNameIn, shareOf, type UnitSigns, type WeighedPassage } from './weigh-passages.js';

/** What of a question decides, whatever the passage. */
export interface JudgedQuestion {
  kind: AnswerKind | undefined;
  terms: WeightedTerm[];
  language: Language;
  /** The words of it that name something: those that tell much when they are met, and when no text knows them. */
  names: { met: ReadonlySet<string>; missed: ReadonlySet<string> };
}

/**
 * How much each sign speaks for a passage's holding the answer: a logistic regression on questions of XQuAD in
 * en, es and de, asked of an index that holds their article, of one that lacks it, and of another language's;
 * rounded, and `titled` made smaller and `unknownNames` larger than fitted, since manuals have telling titles and
 * what they do not name they do not explain. The constant puts 0.4, the default of answers.min_relevance, to where
 * about one answerable question in forty is refused. Few signs, so that a refusal can be explained.
 */
const weights: Signs = {
  coverage: 6,
  window: 7,
  titled: 10,
  named: 5,
  unknown: -2,
  unknownNames: -9.5,
  foreign: -4,
  german: -0.13,
};
const constant = -4.7;
/**
 * The share of a short question that no text of the index knows beyond which nothing is likely: what it asks for is
 * among those words, and the rest of it is met by chance ("is there a docker image"). A long one says more than it
 * needs.
 */
const mostUnknown = 0.45;
/** Words that tell something up to which a question is short; in German, which joins them, fewer say as much. */
const shortQuestion = 3;
const shortInGerman = 1;
/** What a word must count in a passage to stand for one that no text has. */
const standsFor = 0.5;

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
  /** The share that no text of the index knows: what is met of the rest may be met by chance. */
  unknown: number;
  /** The share that are such words and names. */
  unknownNames: number;
  /** 1 where the passage is in another language, in which few words can be met but by chance; less for a few words. */
  foreign: number;
  /** 1 for a question in German: parts of its joined words are met by chance more often than whole words are. */
  german: number;
}

/**
 * Whether what a question asks for is known to no text, or named by a number or a sign ("code 4", ":name") that is not
 * in the passage, so that it can't hold the answer.
 */
export function asksUnknown(
  { kind, terms, language }: JudgedQuestion,
  { matches }: WeighedPassage,
): boolean {
  const lacksName = terms.some(
    (term, index) => isNameIn(kind, term) && (matches[index] ?? 0) < standsFor,
  );
  if (lacksName) return true;
  const telling = terms.filter((term) => !term.isStopWord);
  if (telling.length > (language === 'de' ? shortInGerman : shortQuestion)) return false;
  const unknown = terms.map(({ known }, index) =>
    !known && (matches[index] ?? 0) < standsFor ? 1 : 0,
  );
  return shareOf(terms, unknown) > mostUnknown;
}

/** How likely a passage with these signs holds the answer to the question, 0 to 1. */
export function likelihood(signs: Signs): number {
  let sum = constant;
  for (const sign of Object.keys(weights) as (keyof Signs)[]) sum += weights[sign] * signs[sign];
  return 1 / (1 + Math.exp(-sum));
}

export function signsOf(
  { terms, names, language }: Pick<JudgedQuestion, 'terms' | 'names' | 'language'>,
  { matches, coverage, units }: WeighedPassage,
  isForeign: boolean,
): Signs {
  const best = units.reduce<(typeof units)[number] | undefined>(
    (top, unit) => (top === undefined || unit.score > top.score ? unit : top),
    undefined,
  );
  const shareWhere = (counts: (term: WeightedTerm, index: number) => number) =>
    shareOf(terms, terms.map(counts));
  // A compound or an ending that no text has may stand for a word that the passage has.
  const isUnknown = ({ known }: WeightedTerm, index: number) =>
    !known && (matches[index] ?? 0) === 0;
  return {
    coverage,
    window: best === undefined ? 0 : windowOf(best.signs),
    titled: best?.signs.titled ?? 0,
    named: shareWhere((term, index) => (names.met.has(term.text) ? (matches[index] ?? 0) : 0)),
    unknown: shareWhere((term, index) => (isUnknown(term, index) ? 1 : 0)),
    unknownNames: shareWhere((term, index) =>
      isUnknown(term, index) && names.missed.has(term.text) ? 1 : 0,
    ),
    foreign: isForeign ? Math.min(1, terms.length / surelyTold) : 0,
    german: language === 'de' ? 1 : 0,
  };
}

/** What stands in a unit and, counting less, in its neighbours alone. */
function windowOf({ own, before, after, twoBefore }: UnitSigns): number {
  return own + 0.4 * before + 0.2 * after + 0.2 * twoBefore;
}

/**
 * Names and numbers as they are told by sight, in lower case. In German, where nouns have capitals, all of them
 * are among those that serve when they are met; that one is not known speaks only of abbreviations and the like of iPhone there.
 */
export function namesIn(question: string, language: Language): JudgedQuestion['names'] {
  const capitalised = matchesOf(question, /(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{N}]*/gu);
  const numbers = matchesOf(question, /(?<![\p{L}\p{N}])[\p{Lu}\p{N}]*\p{N}[\p{L}\p{N}]*/gu);
  const abbreviations = matchesOf(
    question,
    /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{Lu}\p{N}]+|\p{L}*\p{Ll}\p{Lu}[\p{L}\p{N}]*)(?![\p{L}\p{N}])/gu,
  );
  return {
    met: new Set([...capitalised, ...numbers]),
    missed: new Set(language === 'de' ? abbreviations : [...capitalised, ...abbreviations]),
  };
}

function matchesOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([name]) => name.normalize('NFKC').toLowerCase());
}
