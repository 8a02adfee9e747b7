import { tokenize } from './analyze.js';
import { foldAccents } from './fold.js';
import { remembering } from './remember.js';

/** How often each term stands in a text, and how long the text is, all counted once when it is stored. */
export interface TermFeatures {
  /** Stems, title's included, by their hash. */
  words: TermCounts;
  /** Character 4-grams of the words with their edges, by their hash. */
  grams: TermCounts;
  /**
   * The stems in the order of the text: the title's, then those of each sentence. Each is its place among the hashes
   * of `words`, from 1. Before each sentence stands what it holds that answers are told by, with `sentenceMark`; or 0
   * where that is not known.
   */
  order: Uint16Array;
}

export interface TermCounts {
  /** Terms in all, repeats included. */
  length: number;
  /** Ascending. */
  hashes: Uint32Array;
  /** How often each stands there, 255 at most. */
  counts: Uint8Array;
}

/** Tells the beginning of a sentence from a stem; what is added to it are the signs of `kindSignsOf`. */
export const sentenceMark = 0x8000;

/** Whether an item of the order is the beginning of a sentence and no stem. */
export function isSentenceMark(item: number): boolean {
  return item === 0 || item >= sentenceMark;
}

/** Characters of a gram: shorter ones match by chance, longer ones miss inflected and compounded words. */
const gramLength = 4;
/** A word in the title tells more of what a passage is about than one in its text. */
const titleWeight = 2;

/** A text with the terms that it is indexed by. */
export interface AnalysedText {
  title: string;
  body: string;
  titleTerms: string[];
  bodyTerms: string[];
  /** How many of `bodyTerms` each sentence has, in their order; all are one sentence where it is not said. */
  sentences?: number[];
  /** What each of them holds that answers are told by. */
  kindSigns?: number[];
}

/** What a passage is scored by: the terms of its title and its text, and the grams of both. */
export function featuresOf({
  title,
  body,
  titleTerms,
  bodyTerms,
  sentences = [bodyTerms.length],
  kindSigns = [],
}: AnalysedText): TermFeatures {
  const own = bodyTerms.map(hashOf);
  // Each title term as often as it counts.
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
 * The 4-grams of a word, its edges marked, accents gone: ^pum, pump, ump$. What lets "Lagertemperatur" be met by
 * "Temperatur", and a misspelt word by the right one.
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

/** Words whose grams are remembered; an average vocabulary is a tenth of it. */
const mostRemembered = 30_000;

/** The hashes of a word's grams, in its order. Remembered, since most words of a text are the same few. */
export const gramHashesOf: (word: string) => readonly number[] = remembering(
  (word) => gramsOf(word).map(hashOf),
  mostRemembered,
);

/** FNV-1a over UTF-16 units with a final mix: 32 bits, so that two terms of one passage and one question never meet. */
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
 * As bytes, little-endian: lengths and numbers of distinct words and grams (4 × uint32), the hashes of words and
 * grams, the order of the words (uint16 each), then the counts of words and grams.
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
  // Copied once, so that the hashes start where a Uint32Array may.
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

/** The terms of a text by their hashes, repeats included. */
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
