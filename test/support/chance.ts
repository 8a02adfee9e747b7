/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
export function createChance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
