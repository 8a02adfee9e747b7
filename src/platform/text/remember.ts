import { LRUCache } from 'lru-cache';

/** Longer texts are read once; what is asked again and again (a question, a title) is short. */
const longest = 300;

/**
 * What a function makes of a text, remembered for the texts that it was given lately: one question is read a dozen
 * times on the way to its answer, and titles with each question that finds them. Callers must not change it.
 */
export function remembering<T extends object>(
  read: (text: string) => T,
  most: number,
): typeof read {
  const remembered = new LRUCache<string, T>({ max: most });
  return (text) => {
    if (text.length > longest) return read(text);
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const made = read(text);
    remembered.set(text, made);
    return made;
  };
}
