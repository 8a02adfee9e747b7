/** Ids in the order of one way of searching, best first, and what that order counts beside the others. */
export interface Ranking {
  ids: readonly number[];
  weight: number;
}

/** How little the first ranks stand out from the next: the value of the paper, which did well on all its sets. */
const smoothing = 60;

/**
 * Joins rankings whose scores can't be compared, by reciprocal rank: each gives weight / (60 + rank) to what it holds
 * (Cormack, Clarke and Büttcher 2009). The scores are shares of the most that can be had: 1 for what is first in all.
 */
export function fuseRankings(rankings: readonly Ranking[]): Map<number, number> {
  const best = rankings.reduce((sum, { weight }) => sum + weight / (smoothing + 1), 0);
  const scores = new Map<number, number>();
  for (const { ids, weight } of rankings) {
    ids.forEach((id, index) => {
      const gain = weight / (smoothing + index + 1);
      scores.set(id, (scores.get(id) ?? 0) + (best === 0 ? 0 : gain / best));
    });
  }
  return scores;
}
