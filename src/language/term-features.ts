import { tokenize } from './analyze.js';
import { foldAccents } from './fold.js';
import { remembering } from '../platform/remember.js';

/** The frequency of each term in a text, and the text's length; computed once when it is stored. */
export interface TermFeatures {
  /** Stems by hash, including the title's. */
  words: TermCounts;
  /** Character 4-grams of the words (with word edges) by hash. */
  grams: TermCounts;
  /**
   * The stems in the order of the text: the title's, then those of each sentence. Each is its index in the hashes of
   * `words`, from 1. Before each sentence stands `sentenceMark` plus its signs for kinds of answers; or 0 when unknown.
   */
  order: Uint16Array;
}

export interface TermCounts {
  /** The number of terms, including repeats. */
  length: number;
  /** Ascending. */
  hashes: Uint32Array;
  /** The frequency of each, at most 255. */
  counts: Uint8Array;
}

/** Marks the beginning of a sentence; the signs of `kindSignsOf` are added to it. */
export const sentenceMark = 0x8000;

/** True when an item of the order is the beginning of a sentence and not a stem. */
export function isSentenceMark(item: number): boolean {
  return item === 0 || item >= sentenceMark;
}

/** Characters of a gram: shorter ones match by chance, longer ones miss inflected and compounded words. */
const gramLength = 4;
/** The weight of a word in the title, which says more about a passage's subject than a word in its text. */
const titleWeight = 2;

export interface AnalysedText {
  title: string;
  body: string;
  titleTerms: string[];
  bodyTerms: string[];
  /** The number of `bodyTerms` in each sentence, in order; undefined for a single sentence. */
  sentences?: number[];
  /** The signs of each sentence for kinds of answers. */
  kindSigns?: number[];
}

/** The features by which a passage is scored: the terms of its title and text, and the grams of both. */
export function featuresOf({
  title,
  body,
  titleTerms,
  bodyTerms,
  sentences = [bodyTerms.length],
  kindSigns = [],
}: AnalysedText): TermFeatures {
  const own = bodyTerms.map(hashOf);
  // Repeats each title term according to its weight.
  const words = [
    ...own,
    ...titleTerms.flatMap((term) => new Array<number>(titleWeight).fill(hashOf(term))),
  ];
  const grams: number[] = [];
  for (const token of [...tokenize(title), ...tokenize(body)]) {
    if (token.kind !== 'word') continue;
    for (const hash of gramHashesOf(token.text)) grams.push(hash);
  }
  const counted = toCounts(words);
  return {
    words: counted,
    grams: toCounts(grams),
    order: orderOf(counted.hashes, titleTerms.map(hashOf), own, { sentences, kindSigns }),
  };
}

function orderOf(
  hashes: Uint32Array,
  title: number[],
  body: number[],
  { sentences, kindSigns }: { sentences: number[]; kindSigns: number[] },
): Uint16Array {
  const places = new Map(Array.from(hashes, (hash, index) => [hash, index + 1]));
  const placesOf = (terms: number[]) => terms.map((term) => places.get(term) ?? 0);
  const order = placesOf(title);
  let from = 0;
  for (const [index, number] of sentences.entries()) {
    const signs = kindSigns[index];
    order.push(
      signs === undefined ? 0 : sentenceMark | signs,
      ...placesOf(body.slice(from, from + number)),
    );
    from += number;
  }
  return Uint16Array.from(order);
}

/**
 * The 4-grams of a word with marked edges, without accents: ^pum, pump, ump$. They match "Temperatur" with
 * "Lagertemperatur", and a misspelt word with the right one.
 */
export function gramsOf(word: string): string[] {
  const marked = `^${foldAccents(word)}$`;
  if (marked.length <= gramLength) return [marked];
  const grams: string[] = [];
  for (let start = 0; start + gramLength <= marked.length; start++) {
    grams.push(marked.slice(start, start + gramLength));
  }
  return grams;
}

/** The most words with cached grams; an average vocabulary is a tenth of it. */
const mostRemembered = 30_000;

/** The hashes of a word's grams, in order. Cached, because most words of a text are the same few. */
export const gramHashesOf: (word: string) => readonly number[] = remembering(
  (word) => gramsOf(word).map(hashOf),
  mostRemembered,
);

/** FNV-1a over UTF-16 units with a final mix. With 32 bits, terms of one passage and question hardly ever collide. */
export function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index++) {
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const headerBytes = 16;

/**
 * As bytes, little-endian: lengths and numbers of distinct words and grams (4 × uint32), the hashes of words and grams,
 * the order of the words (uint16 each), then the counts of words and grams.
 */
export function encodeFeatures({ words, grams, order }: TermFeatures): Buffer {
  const distinct = words.hashes.length + grams.hashes.length;
  const buffer = new ArrayBuffer(headerBytes + 5 * distinct + 2 * order.length);
  const header = [words.length, words.hashes.length, grams.length, grams.hashes.length];
  new Uint32Array(buffer, 0, 4).set(header);
  const hashes = new Uint32Array(buffer, headerBytes, distinct);
  hashes.set(words.hashes);
  hashes.set(grams.hashes, words.hashes.length);
  new Uint16Array(buffer, headerBytes + 4 * distinct, order.length).set(order);
  const counts = new Uint8Array(buffer, buffer.byteLength - distinct);
  counts.set(words.counts);
  counts.set(grams.counts, words.hashes.length);
  return Buffer.from(buffer);
}

export function decodeFeatures(bytes: Uint8Array): TermFeatures {
  // Copied once, so that the hashes are aligned for a Uint32Array.
  const { buffer } = new Uint8Array(bytes);
  const [wordLength = 0, wordNumber = 0, gramLength = 0, gramNumber = 0] = new Uint32Array(
    buffer,
    0,
    4,
  );
  const distinct = wordNumber + gramNumber;
  const order = headerBytes + 4 * distinct;
  const counts = bytes.length - distinct;
  return {
    words: {
      length: wordLength,
      hashes: new Uint32Array(buffer, headerBytes, wordNumber),
      counts: new Uint8Array(buffer, counts, wordNumber),
    },
    grams: {
      length: gramLength,
      hashes: new Uint32Array(buffer, headerBytes + 4 * wordNumber, gramNumber),
      counts: new Uint8Array(buffer, counts + wordNumber, gramNumber),
    },
    order: new Uint16Array(buffer, order, (counts - order) / 2),
  };
}

/** The terms of a text by hash, including repeats. */
function toCounts(terms: readonly number[]): TermCounts {
  const sorted = Uint32Array.from(terms).sort();
  const hashes = new Uint32Array(sorted.length);
  const counts = new Uint8Array(sorted.length);
  let distinct = 0;
  for (let at = 0; at < sorted.length; at++) {
    const hash = sorted[at] ?? 0;
    if (distinct === 0 || hash !== hashes[distinct - 1]) hashes[distinct++] = hash;
    counts[distinct - 1] = Math.min(255, (counts[distinct - 1] ?? 0) + 1);
  }
  return {
    length: terms.length,
    hashes: hashes.slice(0, distinct),
    counts: counts.slice(0, distinct),
  };
}
