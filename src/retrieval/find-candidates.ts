import type { App } from '../platform/app.js';
import type { PassageChoice } from '../platform/db/dialect.js';
import type { RelatedWords } from './find-related.js';
import { matchPassages, type SearchScope } from './passages.repository.js';
import type { TermStatistics } from './term-statistics.js';
import { rarity, shareOf, type ScoredTerm } from './weigh-terms.js';

/** Passages that are scored exactly. */
const mostCandidates = 200;
/** Rows of the index that a search looks at, as far as it can choose: each takes about a microsecond. */
const rowBudget = 5000;
/** Passages up to which an index is small enough to be searched by all words. */
const smallIndex = 5000;
/** Compounds that are looked for, the rarest. */
const mostCompounds = 12;
/** Pairs of frequent words that are looked for together. */
const mostPairs = 6;
/** What a compound counts for the choice of candidates, as a share of the word itself. */
const compoundShare = 0.5;
/** Ways to match in one query, each a table to SQLite. */
const mostChoices = 60;

/**
 * The passages within the scope that may answer, by their number. A word that stands nearly everywhere finds next
 * to nothing and would touch every row: rare words are looked for alone, frequent ones in pairs.
 */
export async function findCandidates(
  app: Pick<App, 'db'>,
  scope: SearchScope,
  terms: ScoredTerm[],
  { compounds, totals: { passages }, holding }: RelatedWords & TermStatistics,
  exhaustive: boolean,
): Promise<number[]> {
  const related = compounds
    .map((term) => ({ any: [term], rows: holding(term), isStopWord: false }))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => a.rows - b.rows)
    .slice(0, mostCompounds)
    .map((word) => ({ ...word, gain: rarity(passages, word.rows) * compoundShare }));
  const words = [...related, ...terms.flatMap(wordOf)];
  const choices =
    exhaustive || passages <= smallIndex
      ? words.map(({ any, gain }) => ({ all: [any], gain }))
      : choose(words, passages);
  if (choices.length === 0) return [];
  const limit = exhaustive ? Math.max(1, passages) : mostCandidates;
  return matchPassages(app, scope, rarestOf(choices), limit);
}

/** Forms of one word of the question, in about how many passages one of them stands, and what that is worth. */
interface Word {
  any: string[];
  rows: number;
  gain: number;
  isStopWord: boolean;
}

function wordOf(term: ScoredTerm): Word[] {
  const { held, isStopWord } = term;
  if (held.length === 0) return [];
  return [
    {
      any: held.map((form) => form.term),
      rows: held.reduce((sum, form) => sum + form.holding, 0),
      gain: Math.max(...held.map((form) => form.weight)) * shareOf(term, 'words'),
      isStopWord,
    },
  ];
}

function rarestOf(choices: PassageChoice[]): PassageChoice[] {
  if (choices.length <= mostChoices) return choices;
  return choices.toSorted((a, b) => b.gain - a.gain).slice(0, mostChoices);
}

/** The rarest words as far as the budget goes, and pairs of those that go beyond it. */
function choose(words: Word[], passages: number): PassageChoice[] {
  const sorted = words.toSorted(
    (a, b) => Number(a.isStopWord) - Number(b.isStopWord) || a.rows - b.rows,
  );
  const chosen: PassageChoice[] = [];
  const frequent: Word[] = [];
  let rows = 0;
  for (const word of sorted) {
    if (rows + word.rows <= rowBudget) {
      chosen.push({ all: [word.any], gain: word.gain });
      rows += word.rows;
    } else frequent.push(word);
  }
  const pairs = frequent
    .slice(0, 5)
    .flatMap((one, index) => frequent.slice(index + 1, 5).map((other) => ({ one, other })))
    .map(({ one, other }) => ({ one, other, rows: (one.rows * other.rows) / passages }))
    .sort((a, b) => a.rows - b.rows);
  for (const { one, other, rows: both } of pairs.slice(0, mostPairs)) {
    if (chosen.length > 0 && rows + both > rowBudget) break;
    chosen.push({ all: [one.any, other.any], gain: one.gain + other.gain });
    rows += both;
  }
  // Nothing but one word, and that a frequent one: whatever it costs.
  const [only] = frequent;
  if (chosen.length === 0 && only !== undefined) chosen.push({ all: [only.any], gain: only.gain });
  return chosen;
}
