/** What is left between the usual cosine and 1, at least: within a smaller gap all differences are chance. */
const leastGap = 0.2;

/**
 * How far a cosine stands out from those found with it, 0 to 1. What a cosine of 0.7 says differs from model to model
 * and from question to question: some give 0.7 to any two texts. But of the passages nearest to a question most do not
 * answer it, so what the middle one has is what comes by chance. Nothing stands out alone.
 */
export function standingOut(similarities: readonly number[]): (similarity: number) => number {
  const sorted = similarities.toSorted((a, b) => a - b);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)];
  if (sorted.length < 2 || usual === undefined) return () => 0;
  const gap = Math.max(leastGap, 1 - usual);
  return (similarity) => Math.min(1, Math.max(0, (similarity - usual) / gap));
}
