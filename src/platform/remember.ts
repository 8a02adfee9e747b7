import { LRUCache } from 'lru-cache';

/** Longer texts are not cached: repeated texts (questions, titles, words) are short. */
const longest = 300;

/**
 * Caches a function's results for recent texts: one question is analysed a dozen times, and titles with each question
 * that finds them. Callers must not change a result.
 */
export function remembering<T extends string | object>(
  read: (text: string) => T,
  most: number,
): typeof read {
  // The cache reserves memory for its maximum, so it is created with the first text.
  let remembered: LRUCache<string, T> | undefined;
  return (text) => {
    if (text.length > longest) return read(text);
    remembered ??= new LRUCache({ max: most });
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const made = read(text);
    remembered.set(text, made);
    return made;
  };
}
