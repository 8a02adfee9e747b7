import { editDistance } from './text/edit-distance.js';

/** The candidate that a typo most likely meant, or undefined when none is near. */
export function closestWord(word: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (best === undefined || distance < best.distance) best = { candidate, distance };
  }
  // Two slips in all but the shortest words.
  const limit = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
  return best !== undefined && best.distance <= limit ? best.candidate : undefined;
}

/** " Did you mean …?" behind a sentence about a word that is none of these; empty when none is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const hint = closestWord(word, candidates);
  return hint === undefined ? '' : ` Did you mean ${hint}?`;
}
