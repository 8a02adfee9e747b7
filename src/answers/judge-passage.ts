import type { WeightedTerm } from '../retrieval/search-passages.js';
import { shareOf, type WeighedPassage } from './weigh-passages.js';

/** What of a question decides, whatever the passage. */
export interface JudgedQuestion {
  terms: WeightedTerm[];
  /** The words of it that name something: those with a capital within a sentence, and numbers. Lower case. */
  names: ReadonlySet<string>;
}

/**
 * How much each sign speaks for a passage's holding the answer: a logistic regression on questions of XQuAD in
 * en, es and de, asked of an index that holds their article, of one that lacks it, and of another language's.
 * Few signs, so that a refusal can be explained. The constant puts the probability of 0.4, the default of
 * answers.min_relevance, to where one answerable question in fifty is refused.
 */
const weights: Signs = {
  coverage: 5.5,
  window: 7.5,
  titled: 10,
  named: 5,
  unknown: -2.8,
  unknownNames: 0,
  foreign: -3.6,
};
const constant = -4.4;

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
  /** 1 where the passage is in another language, in which few words can be met but by chance. */
  foreign: number;
}

/** How likely a passage with these signs holds the answer to the question, 0 to 1. */
export function likelihood(signs: Signs): number {
  let sum = constant;
  for (const sign of Object.keys(weights) as (keyof Signs)[]) sum += weights[sign] * signs[sign];
  return 1 / (1 + Math.exp(-sum));
}

export function signsOf(
  { terms, names }: JudgedQuestion,
  { matches, coverage, units }: WeighedPassage,
  isForeign: boolean,
): Signs {
  const best = units.reduce<(typeof units)[number] | undefined>(
    (top, unit) => (top === undefined || unit.score > top.score ? unit : top),
    undefined,
  );
  const shareWhere = (counts: (term: WeightedTerm, index: number) => number) =>
    shareOf(terms, terms.map(counts));
  return {
    coverage,
    window: best?.window ?? 0,
    titled: best?.titled ?? 0,
    named: shareWhere((term, index) => (names.has(term.text) ? (matches[index] ?? 0) : 0)),
    unknown: shareWhere(({ known }) => (known ? 0 : 1)),
    unknownNames: shareWhere(({ known, text }) => (!known && names.has(text) ? 1 : 0)),
    foreign: isForeign ? 1 : 0,
  };
}

/** Names as they are told from words by sight. In German all nouns are among them, and serve as well. */
export function namesIn(question: string): ReadonlySet<string> {
  const capitalised = question.matchAll(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{N}]*/gu);
  const numbers = question.matchAll(/(?<![\p{L}\p{N}])[\p{Lu}\p{N}]*\p{N}[\p{L}\p{N}]*/gu);
  return new Set(
    [...capitalised, ...numbers].map(([name]) => name.normalize('NFKC').toLowerCase()),
  );
}
