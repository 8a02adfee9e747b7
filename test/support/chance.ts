/** Numbers from 0 to 1 that look like chance, the same each time for a seed. */
export function createChance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
