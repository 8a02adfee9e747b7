import type { App } from '../platform/app.js';
import type { PassageChoice } from '../platform/db/dialect.js';
import { hashOf } from '../platform/text/term-features.js';
import { isVisible } from './memory/passage-memory.js';
import { rankByStems } from './memory/rank-by-stems.js';
import { matchPassages, type SearchScope } from './passages.repository.js';
import { createStemScorer, type StemGroup } from './score-stems.js';
import { recallStems } from './stem-memory.js';
import type { UnderstoodQuestion } from './understand-question.js';
import { rarity, shareOf, type ScoredTerm } from './weigh-terms.js';

/** Passages that are scored exactly; of a small index more, since a word may be met as a part of another alone. */
const mostCandidates = { small: 300, large: 100 };
/** Fewer are enough where all passages were looked at before. */
const mostRemembered = { small: 100, large: 60 };
/** Rows of the index that a search looks at, as far as it can choose: each takes about a microsecond. */
const rowBudget = 4000;
/** Passages up to which an index is small enough to be searched by all words. */
const smallIndex = 5000;
/** Compounds that are looked for, the rarest. */
const mostCompounds = 12;
/** Pairs of frequent words that are looked for together. */
const mostPairs = 6;
/** What a compound counts for the choice of candidates, as a share of the word itself. */
const compoundShare = 0.5;

/**
 * The passages within the scope that may answer, by their number. A word that stands nearly everywhere finds next
 * to nothing and would touch every row: rare words are looked for alone, frequent ones in pairs. What they find is
 * ordered by all words of the question, and the best of it is taken.
 */
export async function findCandidates(
  app: Pick<App, 'db'>,
  scope: SearchScope,
  { terms, words: { compounds, totals, holding }, memory }: UnderstoodQuestion,
  exhaustive: boolean,
): Promise<number[]> {
  const { passages } = totals;
  const related = compounds
    .map((term) => ({ any: [term], rows: holding(term), isStopWord: false }))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => a.rows - b.rows)
    .slice(0, mostCompounds)
    .map((word) => {
      const weight = rarity(passages, word.rows) * compoundShare;
      return { ...word, forms: word.any.map((term) => ({ hash: hashOf(term), weight })) };
    });
  const words = [...related, ...terms.flatMap(wordOf)];
  const isSmall = passages <= smallIndex;
  const average = totals.words / passages;
  if (memory !== undefined && !exhaustive) {
    const { stems, settings, ids } = memory;
    const most = isSmall ? mostRemembered.small : mostRemembered.large;
    const isFound = (slot: number) => isVisible(settings[slot], scope);
    const slots = rankByStems(stems, { groups: words, average, most, isVisible: isFound });
    return slots.flatMap((slot) => ids[slot] ?? []);
  }
  const choices = exhaustive || isSmall ? words.map(({ any }) => [any]) : choose(words, passages);
  const most = isSmall ? mostCandidates.small : mostCandidates.large;
  const matched = await matchPassages(app, scope, choices);
  if (exhaustive || matched.length <= most) return matched;
  const score = createStemScorer(words, average);
  const stems = await recallStems(app, matched);
  const scores = new Float64Array(matched.length);
  for (const [index, one] of stems.entries()) {
    if (one !== undefined) scores[index] = score(one);
  }
  return bestOf(matched, scores, most);
}

/** The ids with the highest scores, those first that were stored first. */
function bestOf(ids: readonly number[], scores: Float64Array, most: number): number[] {
  // A sort of numbers alone takes a tenth of the time of one of ids by their scores.
  const least = scores.toSorted().at(-most) ?? 0;
  return Array.from(ids.keys())
    .filter((index) => (scores[index] ?? 0) >= least)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || (ids[a] ?? 0) - (ids[b] ?? 0))
    .slice(0, most)
    .flatMap((index) => ids[index] ?? []);
}

/** Forms of one word of the question, in about how many passages one of them stands, and what each is worth. */
interface Word extends StemGroup {
  any: string[];
  rows: number;
  isStopWord: boolean;
}

function wordOf(term: ScoredTerm): Word[] {
  const { held, isStopWord } = term;
  if (held.length === 0) return [];
  const share = shareOf(term, 'words');
  const forms = held.map(({ hash, weight }) => ({ hash, weight: weight * share }));
  return [
    {
      any: held.map((form) => form.term),
      rows: held.reduce((sum, form) => sum + form.holding, 0),
      forms,
      isStopWord,
    },
  ];
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
      chosen.push([word.any]);
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
    chosen.push([one.any, other.any]);
    rows += both;
  }
  // Nothing but one word, and that a frequent one: whatever it costs.
  const [only] = frequent;
  if (chosen.length === 0 && only !== undefined) chosen.push([only.any]);
  return chosen;
}
