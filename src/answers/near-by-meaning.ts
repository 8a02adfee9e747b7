import type { FoundPassage } from '../search/search-passages.js';

/** The last rank by vectors that can be an answer: further passages mean that the model misunderstood the question. */
const lastRank = 3;
/**
 * How far a passage must stand out (ScoreParts.standsOut) to be read by a model, which may still refuse it; and to be
 * quoted, which nobody checks.
 */
const readable = 0.3;
const quotable = 0.45;

/** How much better than words a model must have been measured for its similarity to be evidence alone. */
const trusted = 0.2;

type Compared = Pick<FoundPassage, 'parts'>;

export type Nearness = 'surely' | 'perhaps' | 'no';

/**
 * Whether a passage answers by its meaning, whatever words it shares with the question. `surely`: it may be quoted.
 * `perhaps`: a model may read it. It must be among the nearest three, at least as similar as answers.min_similarity,
 * and stand out from the other results, because a poor model gives all the same similarity.
 */
export function nearness(passage: Compared, minSimilarity: number): Nearness {
  const { vector, vectorRank, standsOut } = passage.parts;
  if (vector === null || vectorRank === null || standsOut === null) return 'no';
  if (vectorRank > lastRank || vector < minSimilarity || standsOut < readable) return 'no';
  return meaningOf(passage) > 0 ? 'surely' : 'perhaps';
}

/**
 * The weight of a passage's meaning for each of its sentences. It is 0 when the passage does not stand out clearly, or
 * the model was not measured in the languages of question and passage.
 */
export function meaningOf({ parts: { standsOut, trust, judged } }: Compared): number {
  if (standsOut === null || standsOut < quotable) return 0;
  return judged && trust !== null && trust >= trusted ? standsOut : 0;
}
