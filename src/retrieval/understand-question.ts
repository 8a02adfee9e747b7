import type { App } from '../platform/app.js';
import { queryTerms, type QueryTerm } from '../platform/text/analyze.js';
import { hashOf } from '../platform/text/term-features.js';
import { findCompounds, findMeant } from './find-related.js';
import type { SearchScope } from './scope.js';
import { countVisible, readPostings, type Postings } from './term-index/postings.js';
import type { PassageIndex } from './term-index/index-cache.js';
import { weighTerms, type ScoredTerm, type TermStatistics } from './weigh-terms.js';

export interface UnderstoodQuestion {
  terms: ScoredTerm[];
  /** Compounds of the question's words that passages within the scope hold, the rarest first. */
  compounds: { term: string; holding: number }[];
  /** Where each form stands. */
  postings: Postings;
}

/** Words of a question that are looked for, and those of an endless text that are looked up to choose them. */
const mostWords = { asked: 80, lookedUp: 2000 };

/**
 * The words of a question, weighed by the passages that the asker may see, with those words of the organization that
 * they may have to do with. A word that stands in hidden passages alone is unknown.
 */
export async function understandQuestion(
  app: Pick<App, 'db'>,
  scope: SearchScope,
  index: PassageIndex,
  text: string,
): Promise<UnderstoodQuestion> {
  const all = queryTerms(text).slice(0, mostWords.lookedUp);
  const postings: Postings = new Map();
  const counts = new Map<string, number>();
  const lookUp = async (terms: Iterable<string>) => {
    const missing = [...new Set(terms)].filter((term) => !counts.has(term));
    const found = await readPostings(app, index, missing.map(hashOf));
    for (const [hash, own] of found) postings.set(hash, own);
    for (const term of missing) counts.set(term, countVisible(index, postings, hashOf(term)));
  };
  const holding = (term: string) => counts.get(term) ?? 0;
  const isKnown = ({ variants }: QueryTerm) => variants.some((variant) => holding(variant) > 0);
  await lookUp(all.flatMap(({ variants }) => variants));
  const asked = shortened(all, isKnown);
  const compounds = await findCompounds(app, scope, asked);
  const meant = await findMeant(app, scope, asked, isKnown);
  await lookUp([...compounds, ...[...meant.values()].flat()]);
  const statistics: TermStatistics = { passages: index.totals.passages, holding };
  return {
    terms: weighTerms(asked, statistics, meant),
    compounds: compounds
      .map((term) => ({ term, holding: holding(term) }))
      .filter((one) => one.holding > 0)
      .sort((a, b) => a.holding - b.holding),
    postings,
  };
}

/** Of an endless text the first words that passages hold; those that hold sentences together come last. */
function shortened(terms: QueryTerm[], isKnown: (term: QueryTerm) => boolean): QueryTerm[] {
  if (terms.length <= mostWords.asked) return terms;
  const rankOf = (term: QueryTerm) => (term.isStopWord ? 2 : isKnown(term) ? 0 : 1);
  return terms.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, mostWords.asked);
}
