import { hashOf } from '../../language/term-features.js';
import { bestPassages, type StemGroup } from './rank-by-stems.js';
import type { PassageIndex } from '../term-index/index-cache.js';
import type { UnderstoodQuestion } from './understand-question.js';
import { rarity, shareOf } from './weigh-terms.js';

/** Passages that are scored exactly. */
const mostCandidates = 100;
/** Compounds that are looked for, the rarest. */
const mostCompounds = 12;
/** What a compound counts for the choice of candidates, as a share of the word itself. */
const compoundShare = 0.5;

/**
 * The passages that may answer, by their number: of all that the asker may see the 100 whose stems score best by BM25,
 * and of those that belong to the page the 100 best as well. Function words, compounds and misspelt words count in part.
 */
export function findCandidates(
  index: PassageIndex,
  { terms, compounds, postings }: UnderstoodQuestion,
  { atPage, exhaustive }: { atPage: Uint32Array; exhaustive: boolean },
): number[] {
  const related = compounds.slice(0, mostCompounds).map(({ term, holding }): StemGroup => {
    const weight = rarity(index.totals.passages, holding) * compoundShare;
    return { forms: [{ hash: hashOf(term), weight }] };
  });
  const words = terms.map((term): StemGroup => {
    const share = shareOf(term, 'words');
    return { forms: term.held.map(({ hash, weight }) => ({ hash, weight: weight * share })) };
  });
  const most = exhaustive ? index.totals.passages : mostCandidates;
  const groups = [...related, ...words];
  return bestPassages(index, { groups, postings, most, among: atPage }).map(({ id }) => id);
}
