import type { App } from '../platform/app.js';
import type { PassageMatch } from '../platform/db/dialect.js';
import type { RelatedWords } from './find-related.js';
import { matchPassages, type SearchScope } from './passages.repository.js';
import type { TermStatistics } from './term-statistics.js';
import type { ScoredTerm } from './weigh-terms.js';

/** Passages that are scored exactly. */
const mostCandidates = 250;
/** Rows of the index that a search looks at, as far as it can choose: each takes some microseconds. */
const rowBudget = 5000;
/** Passages up to which an index is small enough to be searched by all words. */
const smallIndex = 5000;
/** Pairs of frequent words that are looked for together. */
const mostPairs = 6;

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
  const related = compounds.map((term) => ({
    any: [term],
    rows: holding(term),
    isStopWord: false,
  }));
  const choices = [...related, ...terms.map(toChoice)].filter((choice) => choice.rows > 0);
  const match =
    exhaustive || passages <= smallIndex
      ? choices.map(({ any }) => [any])
      : chooseMatch(choices, passages);
  if (match.length === 0) return [];
  return matchPassages(app, scope, match, exhaustive ? passages : mostCandidates);
}

/** Forms of one word of the question, and in about how many passages one of them stands. */
interface Choice {
  any: string[];
  rows: number;
  isStopWord: boolean;
}

function toChoice({ held, isStopWord }: ScoredTerm): Choice {
  const rows = held.reduce((sum, form) => sum + form.holding, 0);
  return { any: held.map(({ term }) => term), rows, isStopWord };
}

/** The rarest words as far as the budget goes, and pairs of those that go beyond it. */
function chooseMatch(choices: Choice[], passages: number): PassageMatch {
  const sorted = choices.toSorted(
    (a, b) => Number(a.isStopWord) - Number(b.isStopWord) || a.rows - b.rows,
  );
  const match: string[][][] = [];
  const frequent: Choice[] = [];
  let rows = 0;
  for (const choice of sorted) {
    if (rows + choice.rows <= rowBudget) {
      match.push([choice.any]);
      rows += choice.rows;
    } else frequent.push(choice);
  }
  const pairs = frequent
    .slice(0, 5)
    .flatMap((one, index) => frequent.slice(index + 1, 5).map((other) => [one, other] as const))
    .map(([one, other]) => ({ one, other, rows: (one.rows * other.rows) / passages }))
    .sort((a, b) => a.rows - b.rows);
  for (const pair of pairs.slice(0, mostPairs)) {
    if (match.length > 0 && rows + pair.rows > rowBudget) break;
    match.push([pair.one.any, pair.other.any]);
    rows += pair.rows;
  }
  // Nothing but one word, and that a frequent one: whatever it costs.
  const [only] = frequent;
  if (match.length === 0 && only !== undefined) match.push([only.any]);
  return match;
}
