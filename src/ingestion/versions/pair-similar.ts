import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TitledText } from './fingerprint.js';

/** Share of word trigrams from which two texts are versions of one: below it they share a manner of speaking. */
const minimumShare = 0.3;
/** What the same title path counts beside the share of the text: a text that moved whole outweighs it. */
const titleWeight = 0.5;
const textsPerBreath = 20;
/** A phrase or title that stands more often tells nothing apart, and would make every text a candidate. */
const maximumOccurrences = 40;

/**
 * Which of the texts is a new version of which earlier one: at most one of each, the most alike first. A text is a
 * version of another that has its title path, or enough of its word trigrams. Answers indexes, later to earlier.
 */
export async function pairSimilar(
  earlier: readonly TitledText[],
  later: readonly TitledText[],
): Promise<Map<number, number>> {
  const before = await eachWithBreaths(earlier, featuresOf);
  const after = await eachWithBreaths(later, featuresOf);
  const byPhrase = new Map<string, number[]>();
  const byTitle = new Map<string, number[]>();
  before.forEach(({ phrases, title }, index) => {
    for (const phrase of phrases) add(byPhrase, phrase, index);
    add(byTitle, title, index);
  });
  const likely = await eachWithBreaths(after, (text, to) => {
    const candidates = new Set(near(byTitle.get(text.title) ?? [], to));
    for (const phrase of text.phrases) {
      const found = byPhrase.get(phrase) ?? [];
      if (found.length <= maximumOccurrences) for (const index of found) candidates.add(index);
    }
    return [...candidates].flatMap((from) => {
      const other = before[from];
      const likeness = other === undefined ? 0 : likenessOf(other, text);
      return likeness === 0 ? [] : [{ from, to, likeness }];
    });
  });
  const pairs = likely.flat();
  const distance = (pair: { from: number; to: number }) => Math.abs(pair.from - pair.to);
  pairs.sort((a, b) => b.likeness - a.likeness || distance(a) - distance(b) || a.to - b.to);
  const paired = new Map<number, number>();
  const taken = new Set<number>();
  for (const { from, to } of pairs) {
    if (paired.has(to) || taken.has(from)) continue;
    paired.set(to, from);
    taken.add(from);
  }
  return paired;
}

/** A long document takes seconds: the process has other work between one text and the next. */
async function eachWithBreaths<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    if (index % textsPerBreath === textsPerBreath - 1) await nextTurn();
    results.push(work(item, index));
  }
  return results;
}

interface Features {
  title: string;
  phrases: Set<string>;
}

function featuresOf({ title, content }: TitledText): Features {
  const words =
    content
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const phrases = new Set<string>();
  // Of a text of one or two words these are all there is.
  if (words.length > 0 && words.length < 3) phrases.add(words.join(' '));
  for (let at = 2; at < words.length; at++) phrases.add(words.slice(at - 2, at + 1).join(' '));
  return { title: title.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim(), phrases };
}

/** 0 where the two are no versions of each other. */
function likenessOf(a: Features, b: Features): number {
  const [small, large] = a.phrases.size < b.phrases.size ? [a, b] : [b, a];
  let common = 0;
  for (const phrase of small.phrases) if (large.phrases.has(phrase)) common++;
  const share = common === 0 ? 0 : (2 * common) / (a.phrases.size + b.phrases.size);
  if (a.title === b.title) return share + titleWeight;
  return share >= minimumShare ? share : 0;
}

/** Those of the indexes that are nearest to a place: a title that stands everywhere must not compare all with all. */
function near(indexes: readonly number[], place: number): number[] {
  if (indexes.length <= maximumOccurrences) return [...indexes];
  const byDistance = [...indexes].sort((a, b) => Math.abs(a - place) - Math.abs(b - place));
  return byDistance.slice(0, maximumOccurrences);
}

function add(lists: Map<string, number[]>, key: string, index: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [index]);
  else list.push(index);
}
