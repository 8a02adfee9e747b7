const han = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;
/** Chinese and Japanese set no spaces: each of their characters counts as a word, unless Latin letters precede it. */
const wordPattern = new RegExp(`${han}|[\\p{L}\\p{N}]+`, 'gu');

/** Lower-cased runs of letters and digits, in order. Marks and white space never count. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(wordPattern) ?? [];
}

/** Every three words that follow each other: what they score tells the order, too. */
export function trigramsOf(words: readonly string[]): string[] {
  const trigrams: string[] = [];
  for (let at = 2; at < words.length; at++) {
    trigrams.push(`${words[at - 2] ?? ''} ${words[at - 1] ?? ''} ${words[at] ?? ''}`);
  }
  return trigrams;
}

export function countEach(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** What `items` hold beyond `others`, both as multisets, in the order of `items`. */
export function beyond(items: readonly string[], others: readonly string[]): string[] {
  const left = countEach(others);
  return items.filter((item) => {
    const count = left.get(item) ?? 0;
    if (count > 0) left.set(item, count - 1);
    return count === 0;
  });
}

/** F1 of two multisets, from 0 to 1; two empty ones are the same. */
export function f1(found: readonly string[], wanted: readonly string[]): number {
  const total = found.length + wanted.length;
  if (total === 0) return 1;
  return (2 * (found.length - beyond(found, wanted).length)) / total;
}

export interface Scores {
  words: number;
  trigrams: number;
}

export function scoreText(text: string, truth: string): Scores {
  const [found, wanted] = [wordsOf(text), wordsOf(truth)];
  return { words: f1(found, wanted), trigrams: f1(trigramsOf(found), trigramsOf(wanted)) };
}
