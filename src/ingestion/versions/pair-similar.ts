import { setImmediate as nextTurn } from 'node:timers/promises';

export interface TitledText {
  title: string;
  content: string;
}

/** The two versions as a whole. They tell what is specific to a text, and what most texts of the document share. */
export interface Versions {
  earlier: readonly TitledText[];
  later: readonly TitledText[];
}

/** The share of weighted phrases from which two texts are versions of one. Below it, they only share a style. */
const minimumShare = 0.3;
/** The weight of an equal title path, beside the share of the text. A text that moved completely outweighs it. */
const titleWeight = 0.5;
/** The weight of a title's word, in phrases of the text. */
const titleWordWeight = 2;
/** The rarity of a word from which two texts have something specific in common by sharing it. */
const specificRarity = 0.5;
const textsPerBreath = 20;
/** A phrase or title with more occurrences identifies nothing, and would make every text a candidate. */
const maximumOccurrences = 40;

/**
 * Pairs texts with their earlier versions, each at most once, the most similar first. A text is a version of another
 * with its title path, or with enough of its word trigrams and title words. These count by their rarity, and one
 * specific word must be among them: texts that only share what most of the document says are no versions of each other.
 * Returns indexes, later to earlier. The reverse order of the arguments gives the reverse pairs.
 */
export async function pairSimilar(
  earlier: readonly TitledText[],
  later: readonly TitledText[],
  whole: Versions = { earlier, later },
): Promise<Map<number, number>> {
  if (earlier.length === 0 || later.length === 0) return new Map();
  const rarity = new Rarity([
    await eachWithBreaths(whole.earlier, termsOf),
    await eachWithBreaths(whole.later, termsOf),
  ]);
  const before = await eachWithBreaths(earlier, (text) => featuresOf(text, rarity));
  const after = await eachWithBreaths(later, (text) => featuresOf(text, rarity));
  const phrases = { before: indexBy(before, phrasesOf), after: indexBy(after, phrasesOf) };
  const titles = { before: indexBy(before, titleOf), after: indexBy(after, titleOf) };
  const likely = await eachWithBreaths(after, (text, to) => {
    const sameTitle = near(titles.before.get(text.title) ?? [], titles.after.get(text.title), to);
    const candidates = new Set(sameTitle);
    for (const phrase of text.weights.keys()) {
      const found = phrases.before.get(phrase) ?? [];
      const mostFound = Math.max(found.length, phrases.after.get(phrase)?.length ?? 0);
      if (mostFound <= maximumOccurrences) for (const index of found) candidates.add(index);
    }
    return [...candidates].flatMap((from) => {
      const other = before[from];
      const likeness = other === undefined ? 0 : likenessOf(other, text);
      return likeness === 0 ? [] : [{ from, to, likeness }];
    });
  });
  const pairs = likely.flat();
  const distance = (pair: { from: number; to: number }) => Math.abs(pair.from - pair.to);
  const place = (pair: { from: number; to: number }) => pair.from + pair.to;
  pairs.sort((a, b) => b.likeness - a.likeness || distance(a) - distance(b) || place(a) - place(b));
  const paired = new Map<number, number>();
  const taken = new Set<number>();
  for (const { from, to } of pairs) {
    if (paired.has(to) || taken.has(from)) continue;
    paired.set(to, from);
    taken.add(from);
  }
  return paired;
}

/** A long document takes seconds, so other work of the process gets a turn between two texts. */
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

/** The terms of a text by which it is compared: trigrams of words, and words of the title with a mark. */
interface Terms {
  title: string;
  words: Set<string>;
  phrases: Set<string>;
}

/** Before a title's word, to tell it from the text's. */
const titleMark = '\u{0}';

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function termsOf({ title, content }: TitledText): Terms {
  const words = wordsOf(content);
  const phrases = new Set<string>();
  // A text of one or two words has no other phrases.
  if (words.length > 0 && words.length < 3) phrases.add(words.join(' '));
  for (let at = 2; at < words.length; at++) phrases.add(words.slice(at - 2, at + 1).join(' '));
  const titleWords = wordsOf(title);
  for (const word of titleWords) phrases.add(titleMark + word);
  return {
    title: title.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim(),
    words: new Set([...words, ...titleWords]),
    phrases,
  };
}

/** How rare a term is in both versions: 1 if one text has it, near 0 if all texts of a version do. */
class Rarity {
  readonly #versions: { size: number; counts: Map<string, number> }[];

  constructor(versions: readonly (readonly Terms[])[]) {
    this.#versions = versions.map((texts) => {
      const counts = new Map<string, number>();
      for (const { words, phrases } of texts) {
        // A text of one word has it among its phrases, too.
        for (const term of new Set([...words, ...phrases])) {
          counts.set(term, (counts.get(term) ?? 0) + 1);
        }
      }
      return { size: texts.length, counts };
    });
  }

  of(term: string): number {
    const inEach = this.#versions.map(({ size, counts }) => {
      const count = counts.get(term) ?? 0;
      return count <= 1 ? 1 : Math.log((size + 1) / count) / Math.log(size + 1);
    });
    return Math.min(...inEach);
  }
}

interface Features {
  title: string;
  /** Each phrase and word of the title, with its weight. */
  weights: Map<string, number>;
  totalWeight: number;
  specificWords: Set<string>;
}

function featuresOf(text: TitledText, rarity: Rarity): Features {
  const { title, words, phrases } = termsOf(text);
  const weights = new Map<string, number>();
  let totalWeight = 0;
  for (const phrase of phrases) {
    // Squared, so that much boilerplate outweighs nothing specific.
    const weight = rarity.of(phrase) ** 2 * (phrase.startsWith(titleMark) ? titleWordWeight : 1);
    weights.set(phrase, weight);
    totalWeight += weight;
  }
  const specific = [...words].filter((word) => rarity.of(word) >= specificRarity);
  return { title, weights, totalWeight, specificWords: new Set(specific) };
}

const phrasesOf = ({ weights }: Features): Iterable<string> => weights.keys();
const titleOf = ({ title }: Features): Iterable<string> => [title];

/** 0 when the texts are not versions of each other. */
function likenessOf(a: Features, b: Features): number {
  const [small, large] = a.weights.size < b.weights.size ? [a, b] : [b, a];
  let common = 0;
  for (const [phrase, weight] of small.weights) if (large.weights.has(phrase)) common += weight;
  const share = common === 0 ? 0 : (2 * common) / (a.totalWeight + b.totalWeight);
  const isVersion = share >= minimumShare && haveCommon(a.specificWords, b.specificWords);
  const likeness = a.title === b.title ? share + titleWeight : isVersion ? share : 0;
  // Rounded, since the order of a sum must not decide between equals.
  return Math.round(likeness * 1e6) / 1e6;
}

function haveCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const word of a) if (b.has(word)) return true;
  return false;
}

/** The texts of one title nearest to a place among those of the other version: never all with all. */
function near(
  indexes: readonly number[],
  ofOther: readonly number[] | undefined,
  place: number,
): readonly number[] {
  const rank = ofOther?.indexOf(place) ?? 0;
  const reach = maximumOccurrences / 2;
  return indexes.slice(Math.max(0, rank - reach), rank + reach + 1);
}

function indexBy(
  texts: readonly Features[],
  keysOf: (text: Features) => Iterable<string>,
): Map<string, number[]> {
  const lists = new Map<string, number[]>();
  texts.forEach((text, index) => {
    for (const key of keysOf(text)) {
      const list = lists.get(key);
      if (list === undefined) lists.set(key, [index]);
      else list.push(index);
    }
  });
  return lists;
}
