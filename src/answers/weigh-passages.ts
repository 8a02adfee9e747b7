import type { AnswerKind, Language } from '../language/language-pack.js';
import type { FoundPassage, WeightedTerm } from '../search/search-passages.js';
import { extended } from '../platform/extended.js';
import { holdsKind, kindOf } from '../language/answer-kinds.js';
import { matchOf, type TextWords } from './match-words.js';
import { meaningOf } from './near-by-meaning.js';
import { saysTheSame } from './small-talk.js';
import { item, readSection, readUnits, type Section, type Unit } from './read-units.js';
import { mayMatchByValue, matchByValue } from './match-values.js';

/** A unit with the signs that it is the answer. */
export interface WeighedUnit extends Unit {
  passage: FoundPassage;
  signs: UnitSigns;
  /** The difference of two scores is the logarithm of the odds between them, among the units of one question. */
  score: number;
}

export interface WeighedPassage {
  passage: FoundPassage;
  /** How clearly each word of the question occurs in the unit or its title, 0 to 1, in the order of the terms. */
  matches: number[];
  /** The share of the question in the unit or its title. */
  coverage: number;
  units: WeighedUnit[];
}

/** The signs for a unit. Shares are of the question's weight, 0 to 1. */
export interface UnitSigns {
  /** The share in the unit itself. */
  own: number;
  /** The share only in the unit before it, after it, or the second before it. */
  before: number;
  after: number;
  twoBefore: number;
  /** The share only in the title or the heading above it. */
  titled: number;
  /** How well its section's heading matches the question: "Updating" for "How do I update?". */
  headed: number;
  /** The share anywhere in its passage. */
  coverage: number;
  /** The score of its passage relative to the best. */
  rank: number;
  /** How far its passage stands out by its meaning, if clearly. */
  meaning: number;
  /**
   * 1 (4 for a definition) when it contains the requested kind of answer, -1 (-4 when it defines something else) when
   * it does not, 0 when unclear.
   */
  kind: number;
  /** The logarithm of the amount of text beyond the question. */
  fresh: number;
}

/**
 * The weight of each sign: a softmax over the sentences of a question's passages. It was fitted on half of the articles
 * of XQuAD in en, es and de, checked on the other half, and rounded. It was fitted without vectors and sections, so
 * `meaning` and `headed` are set by hand. Standing out by half outweighs a third of a question's words, and a heading
 * equal to the question outweighs nearly all of them.
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

/** The share of a question that a heading for the requested action contains: "Stopping" for "stop the server". */
const mostOfIt = 0.5;
/** The factor for a section about the action, compared with one about its object, or a part of its chapter. */
const actionScale = 1.25;
/** The factor for definitions: few sentences are one, and nothing else answers. */
const definitionScale = 4;

/** Weighs the passages (best first) and each of their sentences for a question. */
export function weighPassages(
  question: string,
  terms: WeightedTerm[],
  passages: FoundPassage[],
  kind = kindOf(question),
  language: Language = 'other',
): WeighedPassage[] {
  const asked = { question, terms, kind, best: passages[0]?.score ?? 0 };
  // No typo leads to a word of another language: "offset" is not a misspelt "öffnet".
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
      // Literal words are looked for only in the text itself.
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
  const repeats = units.map((unit, index) => repeatsQuestion(asked, unit, worded[index] ?? []));
  // An answer may follow the question. In a list of questions, nothing does.
  const isEmpty = (index: number) =>
    repeats[index] === true && !isAnswered(units[index], units[index + 1]);
  const telling = worded.map((matches, index) => (isEmpty(index) ? terms.map(() => 0) : matches));
  const held = withValues(terms, units, telling, [...aboves.values()]);
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
    // Each row of a table has a subject of its own.
    const beside = (at: number) =>
      unit.head !== undefined && units[at]?.head === unit.head ? 0 : beyond(held[at]);
    const signs: UnitSigns = {
      own: shareOf(terms, here),
      before: beside(index - 1),
      after: beside(index + 1),
      twoBefore: beside(index - 2),
      titled: beyond(aboves.get(unit.above)),
      // The definition of a thing need not be in the section about it.
      headed: asked.kind === 'meaning' ? 0 : (headed.get(unit.section) ?? 0),
      coverage,
      rank,
      meaning: meaningOf(passage),
      kind: fits(asked, unit, here),
      fresh: Math.log(1 + freshIn(unit, here)),
    };
    return extended(unit, { passage, signs, score: weighUnit(signs) });
  });
  return { passage, matches, coverage, units: weighed.filter((_, index) => !repeats[index]) };
}

/** True for a unit that only repeats the question, in its words or as a question without another word: it is no answer. */
function repeatsQuestion({ question }: Asked, unit: Unit, matches: number[]): boolean {
  const text = unit.text.replace(item, '');
  if (/\?$/.test(text) && freshIn(unit, matches) === 0) return true;
  return text.length <= 2 * question.length && saysTheSame(text, question);
}

/** True if the unit below a question may answer it: no further question, and no further item of the same list. */
function isAnswered(question: Unit | undefined, below: Unit | undefined): boolean {
  if (question === undefined || below === undefined || below.text.endsWith('?')) return false;
  return !item.test(question.text) || !item.test(below.text);
}

function fits({ kind, question, terms }: Asked, unit: Unit, matches: number[]): number {
  if (kind === undefined) return 0;
  const tellingness = kind === 'meaning' ? definitionScale : 1;
  const isOther = terms.some((term, index) => isNameIn(kind, term) && matches[index] === 0);
  if (isOther) return -tellingness;
  return holdsKind(kind, unit.text, question) ? tellingness : -1;
}

/** True when a word names the one requested thing, so that nothing else answers: "code 4", ":name". */
export function isNameIn(kind: AnswerKind | undefined, { text, literal }: WeightedTerm): boolean {
  return literal !== undefined || (kind === 'meaning' && /^\p{N}+$/u.test(text));
}

/** Long words that are not in the question. */
function freshIn(unit: Unit, matches: number[]): number {
  return Math.max(0, unit.words.long.length - matches.filter((match) => match > 0).length);
}

function matchesIn(terms: WeightedTerm[], words: Unit['words']): number[] {
  return terms.map((term) => matchOf(term, words));
}

/** The matches, including measures by their value and changes by their setting, if the passage names the thing. */
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

/** The overlap of a heading and a question, 0 to 1. */
interface HeadingMatch {
  /** The share of the heading's words in the question. */
  named: number;
  /** The share of the question in the heading. */
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

/** True when a passage is the beginning of a section whose heading is the whole question. */
export function isHeadedBy(terms: WeightedTerm[], { title }: Pick<FoundPassage, 'title'>): boolean {
  return isAction(readHeading(terms, readSection(title)));
}

/**
 * How well a section matches the question: by its heading, and by its text if the heading is the requested action or
 * things. For "how" questions the chapter's heading counts too: "Installation › Setting up" for "How do I install …?".
 */
function headedIn({ kind, terms }: Asked, section: Section, coverage: number): number {
  const { named, share } = readHeading(terms, section);
  const isWanted = kind === 'way' || kind === 'list';
  if (isWanted && isAction({ named, share })) return actionScale * coverage;
  const isPart =
    kind === 'way' && section.chapters.some((one) => isAction(readHeading(terms, one)));
  return isPart ? coverage : named * share;
}

/** True when a heading consists only of the requested action, and covers most of the question. */
function isAction({ named, share }: HeadingMatch): boolean {
  return named === 1 && share >= mostOfIt;
}

/** The share of the question's weight that matches, and does not match `elsewhere`. */
export function shareOf(
  terms: WeightedTerm[],
  matches: readonly number[],
  elsewhere: readonly number[] = [],
): number {
  let total = 0;
  let matched = 0;
  // Avoids an array per term: this runs six times for each sentence.
  let index = 0;
  for (const { weight } of terms) {
    total += weight;
    matched += weight * Math.max(0, (matches[index] ?? 0) - (elsewhere[index] ?? 0));
    index += 1;
  }
  return total === 0 ? 0 : matched / total;
}
