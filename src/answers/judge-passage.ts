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
const weights = {
  constant: -4.4,
  /** The share of the question that stands in the passage or its title. */
  coverage: 5.5,
  /** The share that stands about its best sentence. */
  window: 7.5,
  /** The share that stands in the title or heading alone. */
  titled: 10,
  /** The share that are names and numbers which stand in it. */
  named: 5,
  /** The share that no text of the index knows: what is met of the rest may be met by chance. */
  unknown: -2.8,
  /** 1 where the passage is in another language, in which few words can be met but by chance. */
  foreign: -3.6,
};

/** How likely a passage holds the answer to a question, 0 to 1. */
export function judgePassage(
  { terms, names }: JudgedQuestion,
  { matches, coverage, units }: WeighedPassage,
  isForeign: boolean,
): number {
  const best = units.reduce<(typeof units)[number] | undefined>(
    (top, unit) => (top === undefined || unit.score > top.score ? unit : top),
    undefined,
  );
  const named = shareOf(
    terms,
    terms.map((term, index) => (names.has(term.text) ? (matches[index] ?? 0) : 0)),
  );
  const unknown = shareOf(
    terms,
    terms.map(({ known }) => (known ? 0 : 1)),
  );
  const sum =
    weights.constant +
    weights.coverage * coverage +
    weights.window * (best?.window ?? 0) +
    weights.titled * (best?.titled ?? 0) +
    weights.named * named +
    weights.unknown * unknown +
    weights.foreign * (isForeign ? 1 : 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Names as they are told from words by sight. In German all nouns are among them, and serve as well. */
export function namesIn(question: string): ReadonlySet<string> {
  const capitalised = question.matchAll(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{N}]*/gu);
  const numbers = question.matchAll(/(?<![\p{L}\p{N}])[\p{Lu}\p{N}]*\p{N}[\p{L}\p{N}]*/gu);
  return new Set(
    [...capitalised, ...numbers].map(([name]) => name.normalize('NFKC').toLowerCase()),
  );
}
