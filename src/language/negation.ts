import { queryTerms, type QueryTerm } from './analyze.js';
import { inAnyLanguage } from './packs.js';
import { splitSentences } from './sentences.js';

/** Words that turn what is said round. "No." before a number is none of them. */
const negation = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${inAnyLanguage((pack) => pack.negation.words)})(?![\p{L}\p{N}])`,
  'iu',
);
const notOnly = new RegExp(
  String.raw`(?<!\p{L})(?:${inAnyLanguage((pack) => pack.negation.notOnly)})(?!\p{L})`,
  'giu',
);
/** Where a sentence turns. */
const turn = new RegExp(
  String.raw`[,;:()–—]|\s-\s|(?<!\p{L})(?:${inAnyLanguage((pack) => pack.negation.turns)})(?!\p{L})`,
  'giu',
);

/** Whether a word is one that turns what is said round. */
export function isNegation(word: QueryTerm): boolean {
  return negation.test(word.text);
}

/** Whether a sentence denies something. */
export function denies(sentence: string): boolean {
  return negation.test(sentence.replaceAll('’', "'").replaceAll(notOnly, ' '));
}

interface Statement {
  words: QueryTerm[];
  isNegated: boolean;
}

/**
 * Whether a text denies what its source says, or says what its source denies, as far as words can tell: each part
 * of its sentences is held against that part of the source that shares the most words with it.
 */
export function turnsRound(source: string, text: string): boolean {
  const known = statementsIn(source).map(({ words, isNegated }) => ({
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
      // Of those that share as many words, the shortest says the least else.
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

/** Sentences, and the parts between their turns. */
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
  // Lines of a page end no sentence.
  const joined = text.replaceAll('’', "'").replaceAll(/(?<!\n)\n(?!\n)/g, ' ');
  return splitSentences(joined).map((sentence) => sentence.text.replaceAll(notOnly, ' '));
}

function statementOf(text: string): Statement[] {
  const words = queryTerms(text).filter((term) => !term.isStopWord && !isNegation(term));
  return words.length === 0 ? [] : [{ words, isNegated: negation.test(text) }];
}
