import { queryTerms } from '../platform/text/analyze.js';

/** Share of a text's content words that its source must hold: room for inflection and joining words, not for facts. */
const minimumShare = 0.9;

/**
 * Whether a text says only what its source says, as far as words can tell: nearly all its content words, and
 * every number in it, stand in the source.
 */
export function isSupportedBy(source: string, text: string): boolean {
  const known = new Set(queryTerms(source).flatMap((term) => term.variants));
  const words = queryTerms(text).filter((term) => !term.isStopWord);
  const supported = words.filter((term) => term.variants.some((variant) => known.has(variant)));
  const numbersStand = words
    .filter((term) => /\p{N}/u.test(term.text))
    .every((term) => term.variants.some((variant) => known.has(variant)));
  return words.length > 0 && numbersStand && supported.length >= words.length * minimumShare;
}
