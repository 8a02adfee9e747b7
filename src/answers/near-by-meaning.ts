import type { FoundPassage } from '../search/search-passages.js';

/** Ranks by vectors from which an answer is taken: what answers is among the nearest, or was not understood. */
const lastRank = 3;
/**
 * How far a passage must stand out from the others found (ScoreParts.standsOut) for a model to read it, who may still
 * say that it does not answer; and to be quoted, which nobody checks.
 */
const readable = 0.3;
const quotable = 0.45;

/** How far a model must have been measured to tell more than words do for its nearness to be evidence by itself. */
const trusted = 0.2;

type Nearness = Pick<FoundPassage, 'parts'>;

/**
 * Whether a passage answers by its meaning, whatever words it shares with the question: `surely`, so that it may be
 * quoted, or `perhaps`, so that a model may read it. It must be among the nearest three, as near as
 * answers.min_similarity wants, and stand out from the rest of what was found, since a poor model finds all equally near.
 */
export function nearness(passage: Nearness, minSimilarity: number): 'surely' | 'perhaps' | 'no' {
  const { vector, vectorRank, standsOut } = passage.parts;
  if (vector === null || vectorRank === null || standsOut === null) return 'no';
  if (vectorRank > lastRank || vector < minSimilarity || standsOut < readable) return 'no';
  return meaningOf(passage) > 0 ? 'surely' : 'perhaps';
}

/**
 * What a passage's meaning counts for each of its sentences: nothing where it does not stand out clearly, or the model
 * was not measured, in the languages of question and passage, to tell what belongs together.
 */
export function meaningOf({ parts: { standsOut, trust, judged } }: Nearness): number {
  if (standsOut === null || standsOut < quotable) return 0;
  return judged && trust !== null && trust >= trusted ? standsOut : 0;
}
