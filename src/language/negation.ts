import { queryTerms, type QueryTerm } from './analyze.js';
import { inAnyLanguage } from './packs.js';
import { splitSentences } from './sentences.js';

/** Negating words. "No." before a number is not one. */
const negation = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${inAnyLanguage((pack) => pack.negation.words)})(?![\p{L}\p{N}])`,
  'iu',
);
const notOnly = new RegExp(
  String.raw`(?<!\p{L})(?:${inAnyLanguage((pack) => pack.negation.notOnly)})(?!\p{L})`,
  'giu',
);
/** Words that divide a sentence. */
const turn = new RegExp(
  String.raw`[,;:()–—]|\s-\s|(?<!\p{L})(?:${inAnyLanguage((pack) => pack.negation.turns)})(?!\p{L})`,
  'giu',
);

export function isNegation(word: QueryTerm): boolean {
  return negation.test(word.text);
}

export function denies(sentence: string): boolean {
  return negation.test(sentence.replaceAll('’', "'").replaceAll(notOnly, ' '));
}

interface Statement {
  words: QueryTerm[];
  isNegated: boolean;
}

/**
 * True when a text negates what its source asserts, or the reverse, as far as words show it. Each part of its sentences
 * is compared with the part of the source that shares the most words.
 */
export function turnsRound(source: string, text: string): boolean {
  const known = distinct(statementsIn(source)).map(({ words, isNegated }) => ({
    isNegated,
    length: words.length,
    variants: new Set(words.flatMap((word) => word.variants)),
  }));
  return partsOf(text).some(({ words, isNegated }) => {
    let most = 0;
    let shortest = Infinity;
    let agrees = true;
    for (const statement of known) {
      const shared = words.filter((word) =>
        word.variants.some((variant) => statement.variants.has(variant)),
      ).length;
      // Of parts with equally many shared words, the shortest has the fewest others.
      const isCloser = shared > most || (shared === most && statement.length < shortest);
      const isAsClose = shared === most && statement.length === shortest;
      if (shared === 0 || !(isCloser || isAsClose)) continue;
      const isAlike = statement.isNegated === isNegated;
      agrees = isCloser ? isAlike : agrees || isAlike;
      most = shared;
      shortest = statement.length;
    }
    return !agrees;
  });
}

/** Each statement once: a text may repeat one a thousand times. */
function distinct(statements: Statement[]): Statement[] {
  const keyOf = ({ words, isNegated }: Statement) =>
    `${isNegated} ${words.map(({ text }) => text).join(' ')}`;
  return [...new Map(statements.map((one) => [keyOf(one), one])).values()];
}

/** Splits a text into sentences, and these at dividing words. */
function statementsIn(text: string): Statement[] {
  return sentencesOf(text).flatMap((sentence) => {
    const parts = sentence.split(turn);
    return [...(parts.length > 1 ? [sentence] : []), ...parts].flatMap(statementOf);
  });
}

function partsOf(text: string): Statement[] {
  return sentencesOf(text).flatMap((sentence) => sentence.split(turn).flatMap(statementOf));
}

function sentencesOf(text: string): string[] {
  // A line break alone ends no sentence.
  const joined = text.replaceAll('’', "'").replaceAll(/(?<!\n)\n(?!\n)/g, ' ');
  return splitSentences(joined).map((sentence) => sentence.text.replaceAll(notOnly, ' '));
}

function statementOf(text: string): Statement[] {
  const words = queryTerms(text).filter((term) => !term.isStopWord && !isNegation(term));
  return words.length === 0 ? [] : [{ words, isNegated: negation.test(text) }];
}
