import type { WithDb } from '../../platform/app.js';
import { queryTerms, withWholeVerbs, type QueryTerm } from '../../language/analyze.js';
import { findCompounds, findMeant } from './find-related.js';
import type { SearchScope } from '../passages/scope.js';
import { createTermCounts } from '../term-index/postings.js';
import type { PassageIndex } from '../term-index/index-cache.js';
import { weighTerms, type ScoredTerm, type TermStatistics } from './weigh-terms.js';

export interface UnderstoodQuestion {
  terms: ScoredTerm[];
  /** Compounds of the question's words in passages within the scope, the rarest first. */
  compounds: { term: string; holding: number }[];
}

/**
 * The most distinct words that are looked up, because each may read a list of every segment. No question has more. In a
 * longer text, function words are dropped first, then the words farthest from its beginning and end, where its question
 * usually is.
 */
const mostWords = 64;

/**
 * The words of a question, weighted by the passages that the asker may see, with related words of the organization. A
 * word that occurs only in hidden passages is unknown.
 */
export async function understandQuestion(
  app: WithDb,
  scope: SearchScope,
  index: PassageIndex,
  text: string,
): Promise<UnderstoodQuestion> {
  const asked = shortened(withWholeVerbs(queryTerms(text), text));
  const counts = createTermCounts(app, index);
  const { holding } = counts;
  await counts.lookUp(asked.flatMap(({ variants }) => variants));
  const compounds = await findCompounds(app, scope, asked, counts);
  const meant = await findMeant(app, scope, asked, counts);
  const statistics: TermStatistics = { passages: index.totals.passages, holding };
  return {
    terms: weighTerms(asked, statistics, meant),
    compounds: compounds
      .map((term) => ({ term, holding: holding(term) }))
      .sort((a, b) => a.holding - b.holding),
  };
}

function shortened(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  if (terms.length <= mostWords) return terms;
  const telling = terms.filter((term) => !term.isStopWord);
  const half = mostWords / 2;
  return telling.length > mostWords
    ? [...telling.slice(0, half), ...telling.slice(-half)]
    : [...telling, ...terms.filter((term) => term.isStopWord)].slice(0, mostWords);
}
