import type { AnswerKind, Language } from '../language/language-pack.js';
import type { FoundPassage, WeightedTerm } from '../search/search-passages.js';
import { holdsKind, kindOf } from '../language/answer-kinds.js';
import { matchOf, type TextWords } from './match-words.js';
import { meaningOf } from './near-by-meaning.js';
import { readSection, readUnits, type Section, type Unit } from './read-units.js';
import { mayMatchByValue, matchByValue } from './match-values.js';

/** A unit with what speaks for its being the answer. */
export interface WeighedUnit extends Unit {
  passage: FoundPassage;
  signs: UnitSigns;
  /** The difference of two is the logarithm of the odds between them, among the units of one question. */
  score: number;
}

export interface WeighedPassage {
  passage: FoundPassage;
  /** How surely each word of the question stands in it or its title, 0 to 1, in the order of the terms. */
  matches: number[];
  /** The share of the question that stands in it or its title. */
  coverage: number;
  units: WeighedUnit[];
}

/** What speaks for a unit; shares are of the question's weight, 0 to 1. */
export interface UnitSigns {
  /** What of the question stands in it. */
  own: number;
  /** What stands not in it, but in the unit before it, after it, or the second before it. */
  before: number;
  after: number;
  twoBefore: number;
  /** What stands not in it, but in the title or the heading above it. */
  titled: number;
  /** How far its section is what is asked for: "Updating" for "How do I update?". */
  headed: number;
  /** What stands anywhere in its passage. */
  coverage: number;
  /** The score of its passage as a share of the best. */
  rank: number;
  /** How far its passage stands out by its meaning, where it does clearly. */
  meaning: number;
  /**
   * 1 (4 for a definition) where it holds what such a question wants, -1 (-4 where it defines another) where not, 0
   * where that cannot be told.
   */
  kind: number;
  /** The logarithm of how much it says beyond the question. */
  fresh: number;
}

/**
 * How much each sign counts: a softmax over the sentences of a question's passages, fitted on half of the articles
 * of XQuAD in en, es and de, checked on the other half, and rounded; without vectors and sections, so that
 * `meaning` and `headed` are set by hand: a passage that stands out by half outweighs the third of a question's words,
 * a section with the question for its heading nearly all of them.
 */
const weights: UnitSigns = {
  own: 9.6,
  before: 3.8,
  after: 1.7,
  twoBefore: 2.2,
  titled: 3.6,
  headed: 8,
  coverage: 1.5,
  rank: 5.8,
  meaning: 8,
  kind: 0.6,
  fresh: -0.3,
};

function weighUnit(signs: UnitSigns): number {
  let sum = 0;
  for (const sign of Object.keys(weights) as (keyof UnitSigns)[])
    sum += weights[sign] * signs[sign];
  return sum;
}

/**
 * The share of a question that a heading must have to be the action that is asked for: "Stopping" for "stop the
 * server".
 */
const mostOfIt = 0.5;
/**
 * And how much more the section about an action is worth than one that is headed by what it is done to, or a part of
 * its chapter.
 */
const actionScale = 1.25;
/** How much more a definition tells than other kinds: few sentences are one, and it is all that is wanted. */
const definitionScale = 4;

/** What the passages, best first, and each of their sentences hold of a question. */
export function weighPassages(
  question: string,
  terms: WeightedTerm[],
  passages: FoundPassage[],
  kind = kindOf(question),
  language: Language = 'other',
): WeighedPassage[] {
  const asked = { question, terms, kind, best: passages[0]?.score ?? 0 };
  // No slip makes a word of another language: "offset" is not "öffnet" misspelt.
  const abroad = { ...asked, terms: terms.map(({ guesses: _guesses, ...term }) => term) };
  return passages.map((passage) =>
    weighPassage(isForeign(passage, language) ? abroad : asked, passage),
  );
}

export function isForeign(passage: Pick<FoundPassage, 'language'>, language: Language): boolean {
  return language !== 'other' && passage.language !== 'other' && passage.language !== language;
}

interface Asked {
  question: string;
  terms: WeightedTerm[];
  kind: AnswerKind | undefined;
  /** The score of the best passage. */
  best: number;
}

function weighPassage(asked: Asked, passage: FoundPassage): WeighedPassage {
  const { terms } = asked;
  const { title, units } = readUnits(passage);
  const aboves = new Map(
    [title, ...units.map(({ above }) => above)].map((words) => [
      words,
      // What is meant as it was typed is looked for in the text alone.
      matchesIn(terms, words).map((match, index) =>
        terms[index]?.literal === undefined ? match : 0,
      ),
    ]),
  );
  const worded = units.map((unit) =>
    matchesIn(terms, unit.words).map((match, index) => {
      const literal = terms[index]?.literal;
      return literal === undefined || unit.text.includes(literal) ? match : 0;
    }),
  );
  const held = withValues(terms, units, worded, [...aboves.values()]);
  const matches = terms.map((_, index) =>
    Math.max(0, ...[...held, ...aboves.values()].map((values) => values[index] ?? 0)),
  );
  const coverage = shareOf(terms, matches);
  const sections = new Set(units.map(({ section }) => section));
  const headed = new Map([...sections].map((one) => [one, headedIn(asked, one, coverage)]));
  const rank = asked.best === 0 ? 0 : passage.score / asked.best;
  const weighed = units.map((unit, index): WeighedUnit => {
    const here = held[index] ?? [];
    const beyond = (there: number[] = []) => shareOf(terms, there, here);
    // Each row of a table is about another thing than the rows beside it.
    const beside = (at: number) =>
      unit.head !== undefined && units[at]?.head === unit.head ? 0 : beyond(held[at]);
    const signs: UnitSigns = {
      own: shareOf(terms, here),
      before: beside(index - 1),
      after: beside(index + 1),
      twoBefore: beside(index - 2),
      titled: beyond(aboves.get(unit.above)),
      // What a thing is need not stand where it is written about.
      headed: asked.kind === 'meaning' ? 0 : (headed.get(unit.section) ?? 0),
      coverage,
      rank,
      meaning: meaningOf(passage),
      kind: fits(asked, unit, here),
      fresh: Math.log(1 + freshIn(unit, here)),
    };
    return { ...unit, passage, signs, score: weighUnit(signs) };
  });
  return { passage, matches, coverage, units: weighed };
}

function fits({ kind, question, terms }: Asked, unit: Unit, matches: number[]): number {
  if (kind === undefined) return 0;
  const tellingness = kind === 'meaning' ? definitionScale : 1;
  const isOther = terms.some((term, index) => isNameIn(kind, term) && matches[index] === 0);
  if (isOther) return -tellingness;
  return holdsKind(kind, unit.text, question) ? tellingness : -1;
}

/** Whether a word names the one thing that is asked about, so that nothing else will do: "code 4", ":name". */
export function isNameIn(kind: AnswerKind | undefined, { text, literal }: WeightedTerm): boolean {
  return literal !== undefined || (kind === 'meaning' && /^\p{N}+$/u.test(text));
}

/** Long words that are not the question's own. */
function freshIn(unit: Unit, matches: number[]): number {
  return Math.max(0, unit.words.long.length - matches.filter((match) => match > 0).length);
}

function matchesIn(terms: WeightedTerm[], words: Unit['words']): number[] {
  return terms.map((term) => matchOf(term, words));
}

/**
 * The matches with those of a measure that a value tells, or a change by its setting, where the passage names what of.
 */
function withValues(
  terms: WeightedTerm[],
  units: readonly Unit[],
  worded: number[][],
  above: number[][],
): number[][] {
  if (!terms.some((term) => mayMatchByValue(term))) return worded;
  const isNamed = terms.some(
    (term, index) =>
      !term.isStopWord &&
      !mayMatchByValue(term) &&
      [...worded, ...above].some((matches) => (matches[index] ?? 0) > 0),
  );
  if (!isNamed) return worded;
  return worded.map((matches, at) =>
    terms.map((term, index) =>
      Math.max(matches[index] ?? 0, matchByValue(term, units[at]?.text ?? '')),
    ),
  );
}

/** What a heading and a question have of one another, 0 to 1. */
interface HeadingMatch {
  /** The share of the heading's words that the question has. */
  named: number;
  /** The share of the question that stands in the heading. */
  share: number;
}

function readHeading(terms: WeightedTerm[], { words, telling }: Section): HeadingMatch {
  const asked = terms.filter((term) => !term.isStopWord);
  const namedBy = (heading: TextWords) =>
    Math.max(0, ...asked.map((term) => matchOf(term, heading)));
  const named = telling.reduce((sum, heading) => sum + namedBy(heading), 0);
  if (named === 0) return { named: 0, share: 0 };
  return { named: named / telling.length, share: shareOf(terms, matchesIn(terms, words)) };
}

/** Whether a passage is the beginning of a section whose heading is all that is asked for. */
export function isHeadedBy(terms: WeightedTerm[], { title }: Pick<FoundPassage, 'title'>): boolean {
  return isAction(readHeading(terms, readSection(title)));
}

/**
 * How far a section is what is asked for: by its heading, and by its text where the heading is the action or the things
 * that are asked for; for a way also where that of its chapter is: "Installation › Setting up" for "How do I install …?".
 */
function headedIn({ kind, terms }: Asked, section: Section, coverage: number): number {
  const { named, share } = readHeading(terms, section);
  const isWanted = kind === 'way' || kind === 'list';
  if (isWanted && isAction({ named, share })) return actionScale * coverage;
  const isPart =
    kind === 'way' && section.chapters.some((one) => isAction(readHeading(terms, one)));
  return isPart ? coverage : named * share;
}

/** Whether a heading is nothing but what is asked for, and most of it. */
function isAction({ named, share }: HeadingMatch): boolean {
  return named === 1 && share >= mostOfIt;
}

/** The share of the question's weight that is matched, and not matched `elsewhere`. */
export function shareOf(
  terms: WeightedTerm[],
  matches: readonly number[],
  elsewhere: readonly number[] = [],
): number {
  let total = 0;
  let matched = 0;
  // Without an array for each term: it is called six times for each sentence that is read.
  let index = 0;
  for (const { weight } of terms) {
    total += weight;
    matched += weight * Math.max(0, (matches[index] ?? 0) - (elsewhere[index] ?? 0));
    index += 1;
  }
  return total === 0 ? 0 : matched / total;
}
