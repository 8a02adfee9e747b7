import { queryTerms, type QueryTerm } from '../platform/text/analyze.js';
import { splitSentences } from '../platform/text/sentences.js';
import { isNegation, turnsRound } from '../platform/text/negation.js';

/** Share of a text's content words that its source must hold: room for inflection and joining words, not for facts. */
const minimumShare = 0.9;

/**
 * Whether a text says only what its source says, as far as words can tell: nearly all its content words, and
 * every number in it, stand in the source, and it denies nothing that the source does not deny, nor the reverse.
 */
export function isSupportedBy(source: string, text: string): boolean {
  const known = new Set(queryTerms(source).flatMap((term) => term.variants));
  // Whether it denies what its source denies is another question than by which word.
  const words = queryTerms(text).filter((term) => !term.isStopWord && !isNegation(term));
  const supported = words.filter((term) => term.variants.some((variant) => known.has(variant)));
  const numbersStand = words
    .filter(isNumber)
    .every((term) => term.variants.some((variant) => known.has(variant)));
  const isSaid = numbersStand && supported.length >= words.length * minimumShare;
  return words.length > 0 && isSaid && !turnsRound(source, text);
}

function isNumber(term: QueryTerm): boolean {
  return /\p{N}/u.test(term.text);
}

/** Share of a sentence's content words that the descriptions must hold for it to be told by them. */
const toldShare = 0.6;

/** The share of a text's sentences that none of the descriptions tells, as far as words can tell: 0 to 1. */
export function omittedShare(text: string, descriptions: readonly string[]): number {
  const told = new Set(
    descriptions.flatMap((description) => queryTerms(description).flatMap((term) => term.variants)),
  );
  const sentences = splitSentences(text)
    .map((sentence) => queryTerms(sentence.text).filter((term) => !term.isStopWord))
    .filter((words) => words.length > 0);
  const omitted = sentences.filter((words) => {
    const isTold = (word: QueryTerm) => word.variants.some((variant) => told.has(variant));
    const numbersStand = words.filter(isNumber).every(isTold);
    return !numbersStand || words.filter(isTold).length < words.length * toldShare;
  });
  return sentences.length === 0 ? 0 : omitted.length / sentences.length;
}
