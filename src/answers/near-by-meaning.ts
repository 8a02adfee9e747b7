import type { FoundPassage } from '../retrieval/search-passages.js';

/** Ranks by vectors from which an answer is taken: what answers is among the nearest, or was not understood. */
const lastRank = 3;
/**
 * How far a passage must stand out from the others found (ScoreParts.standsOut) for a model to read it, who may still
 * say that it does not answer; and to be quoted, which nobody checks.
 */
const readable = 0.3;
const quotable = 0.45;

/**
 * Whether a passage answers by its meaning, whatever words it shares with the question: `surely`, so that it may be
 * quoted, or `perhaps`, so that a model may read it. It must be among the nearest three, as near as
 * answers.min_similarity wants, and stand out from the rest of what was found, since a poor model finds all equally near.
 */
export function nearness(
  { parts: { vector, vectorRank, standsOut } }: Pick<FoundPassage, 'parts'>,
  minSimilarity: number,
): 'surely' | 'perhaps' | 'no' {
  if (vector === null || vectorRank === null || standsOut === null) return 'no';
  if (vectorRank > lastRank || vector < minSimilarity || standsOut < readable) return 'no';
  return standsOut >= quotable ? 'surely' : 'perhaps';
}

/** What a passage's meaning counts for each of its sentences: nothing where it does not stand out clearly. */
export function meaningOf({ parts: { standsOut } }: Pick<FoundPassage, 'parts'>): number {
  return standsOut !== null && standsOut >= quotable ? standsOut : 0;
}
