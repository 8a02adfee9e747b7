import { LRUCache } from 'lru-cache';

/** Longer texts are read once; what is asked again and again (a question, a title, a word) is short. */
const longest = 300;

/**
 * What a function makes of a text, remembered for the texts that it was given lately: one question is read a dozen
 * times on the way to its answer, and titles with each question that finds them. Callers must not change it.
 */
export function remembering<T extends string | object>(
  read: (text: string) => T,
  most: number,
): typeof read {
  // It takes memory for all that it may hold, so it waits for the first text.
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
