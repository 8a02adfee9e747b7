import type { AnswerKind } from '../../language/language-pack.js';
import { hasDigit } from '../../language/numbers.js';
import { isSentenceMark, type TermFeatures } from '../../language/term-features.js';
import { createHashFinder, type HashFinder } from './find-hashes.js';
import { createSentenceScorer } from './score-sentences.js';
import type { Totals } from '../term-index/index-cache.js';
import {
  backgroundPassages,
  guessedShare,
  rarity,
  shareOf,
  type ScoredTerm,
} from './weigh-terms.js';

/** How well a passage matches a question. */
export interface PassageScore {
  /** BM25 over stems, relative to the best passage. */
  words: number;
  /** BM25 over the 4-grams of the question's words, relative to the best passage. */
  grams: number;
  /** The share of the question's weight in its best sentence, with the sentence before and the title. */
  sentence: number;
  /** The share of the question's weight whose words are adjacent as in the question. */
  phrase: number;
  /** The share of the question's weight in its densest run of words. */
  window: number;
  /** The share of the best passages that have the same title. */
  siblings: number;
  /** The total, about 1 for a passage that answers. Comparable only within one search. */
  score: number;
  /** The share of the question's weight whose words occur in the passage or its title, 0 to 1. */
  coverage: number;
}

/**
 * The weight of each part: rounded results of a softmax over the passages of a question, fitted on XQuAD and SQuAD in
 * three languages together. Similar values find equally many, within half a point.
 */
const weights = { words: 0.3, grams: 1, sentence: 1.5, phrase: 0.7, window: 0.3, siblings: 0.3 };
/** The total for a passage that answers. */
const typicalBest = 3;
/** The passages among which equal titles are counted. */
const bestPassages = 20;
/** The saturation and length normalisation of BM25, chosen over three languages (docs/answers.md). */
const bm25 = { words: { k1: 1.2, b: 0.6 }, grams: { k1: 1.2, b: 0.75 } };
/** The weight of a word that occurs only as a part of another word. */
const compoundShare = 0.6;
/** The fewest letters of a word whose parts are compared. */
const shortestPart = 5;
/** The share of a word's grams that must occur for the word to count as part of another word. */
const gramsOfPart = 0.8;

/** Scores the passages of one search, in the given order. `kind` is the kind of answer that the question wants. */
export function scorePassages(
  terms: readonly ScoredTerm[],
  totals: Totals,
  passages: readonly TermFeatures[],
  kind?: AnswerKind,
): PassageScore[] {
  const number = Math.max(1, totals.passages);
  const unknown = rarity(totals.passages, 0);
  // The rarest form counts: when forms of two languages are known, the rarer one is more likely meant.
  const rarities = terms.map((term) =>
    Math.max(...term.held.map((form) => form.weight), term.known ? 0 : unknown),
  );
  const wordWeights = terms.map((term, index) => (rarities[index] ?? 0) * shareOf(term, 'words'));
  const asked = lookFor(terms);
  const found = passages.map((features) => findIn(asked, features));
  const words = scoreWords(asked, Math.max(1, totals.words / number), found);
  const grams = scoreGrams(asked, rarities, Math.max(1, totals.grams / number), found);
  const best = { words: bestOf(words, sum(wordWeights)), grams: bestOf(grams.scores, grams.full) };
  const scoreSentences = createSentenceScorer(terms, asked.forms, wordWeights, kind);
  const scored = found.map((one, index) => {
    const { sentence, phrase, window } = scoreSentences(one.features.order, one.places);
    const parts = {
      sentence,
      phrase,
      window,
      siblings: 0,
      words: (words[index] ?? 0) / best.words,
      grams: (grams.scores[index] ?? 0) / best.grams,
    };
    const sum =
      weights.words * parts.words +
      weights.grams * parts.grams +
      weights.sentence * sentence +
      weights.phrase * phrase +
      weights.window * window;
    return Object.assign(parts, { score: sum / typicalBest, coverage: coverageOf(asked, one) });
  });
  const siblings = countSiblings(
    passages,
    scored.map(({ score }) => score),
  );
  for (const [index, one] of scored.entries()) {
    one.siblings = siblings[index] ?? 0;
    one.score += (weights.siblings * one.siblings) / typicalBest;
  }
  return scored;
}

/** The hashes to find in the passages: the terms' forms and their grams, each once. */
interface Asked {
  terms: readonly ScoredTerm[];
  words: HashFinder;
  grams: HashFinder;
  /** For each term, which of the hashes are its forms, and which are its grams. */
  forms: readonly number[][];
  gramsOf: readonly number[][];
}

function lookFor(terms: readonly ScoredTerm[]): Asked {
  const words = createHashFinder(terms.flatMap(({ held }) => held.map(({ hash }) => hash)));
  const grams = createHashFinder(terms.flatMap((term) => term.grams));
  return {
    terms,
    words,
    grams,
    forms: terms.map(({ held }) => held.map(({ hash }) => words.hashes.indexOf(hash))),
    gramsOf: terms.map((term) => term.grams.map((hash) => grams.hashes.indexOf(hash))),
  };
}

interface Found {
  features: TermFeatures;
  /** The position of each form's hash among its stems, from 1; 0 when missing. */
  places: Uint16Array;
  /** How often each gram occurs. */
  grams: Uint8Array;
}

function findIn({ words, grams }: Asked, features: TermFeatures): Found {
  const places = words.placesIn(features.words.hashes).slice();
  const counts = new Uint8Array(grams.hashes.length);
  const ofGrams = grams.placesIn(features.grams.hashes);
  for (let gram = 0; gram < counts.length; gram++) {
    const place = ofGrams[gram] ?? 0;
    if (place > 0) counts[gram] = features.grams.counts[place - 1] ?? 0;
  }
  return { features, places, grams: counts };
}

/**
 * The share of the other best passages with the same title: if many match, the question is probably about that text.
 */
function countSiblings(passages: readonly TermFeatures[], scores: readonly number[]): number[] {
  const titles = passages.map(titleOf);
  const best = new Set(
    Array.from(scores.keys())
      .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
      .slice(0, bestPassages),
  );
  const counts = new Map<string, number>();
  for (const index of best) {
    const title = titles[index] ?? '';
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return titles.map((title, index) => {
    const others = (counts.get(title) ?? 0) - (best.has(index) ? 1 : 0);
    return title === '' ? 0 : others / (bestPassages - 1);
  });
}

const titles = new WeakMap<TermFeatures, string>();

/** The hashes of the stems in a passage's title; empty without a title. Cached, because passages are found often. */
function titleOf(features: TermFeatures): string {
  const known = titles.get(features);
  if (known !== undefined) return known;
  const { words, order } = features;
  const end = order.findIndex(isSentenceMark);
  const stems = Array.from(order.subarray(0, Math.max(0, end)), (place) => words.hashes[place - 1]);
  const title = stems.join();
  titles.set(features, title);
  return title;
}

/** If even the best passage hardly matches, it does not get full marks: half of the question is the least for that. */
function bestOf(scores: readonly number[], full: number): number {
  return Math.max(Number.MIN_VALUE, full / 2, ...scores);
}

function scoreWords(
  { terms, forms }: Asked,
  average: number,
  passages: readonly Found[],
): number[] {
  return passages.map(({ features: { words }, places }) => {
    let all = 0;
    for (const [index, term] of terms.entries()) {
      let best = 0;
      for (const [at, form] of (forms[index] ?? []).entries()) {
        const place = places[form] ?? 0;
        if (place === 0) continue;
        const count = words.counts[place - 1] ?? 0;
        const weight = term.held[at]?.weight ?? 0;
        best = Math.max(best, weight * saturated(count, words.length, average));
      }
      all += best * shareOf(term, 'words');
    }
    return all;
  });
}

/**
 * Each gram counts as much as its rarest word, but at most its own rarity among the passages: a gram of many other
 * words would outweigh a stem.
 */
function scoreGrams(
  { terms, gramsOf, grams }: Asked,
  rarities: readonly number[],
  average: number,
  passages: readonly Found[],
): { scores: number[]; full: number } {
  const weights = new Float64Array(grams.hashes.length);
  for (const [index, term] of terms.entries()) {
    const most = (rarities[index] ?? 0) * shareOf(term, 'grams');
    for (const gram of gramsOf[index] ?? []) weights[gram] = Math.max(weights[gram] ?? 0, most);
  }
  const holding = new Uint32Array(weights.length);
  for (const { grams } of passages) {
    for (let gram = 0; gram < grams.length; gram++) {
      if ((grams[gram] ?? 0) > 0) holding[gram] = (holding[gram] ?? 0) + 1;
    }
  }
  let full = 0;
  for (let gram = 0; gram < weights.length; gram++) {
    const own = rarity(passages.length + backgroundPassages, holding[gram] ?? 0);
    weights[gram] = Math.min(weights[gram] ?? 0, own);
    full += weights[gram] ?? 0;
  }
  const scores = passages.map(({ features, grams }) => {
    let score = 0;
    for (let gram = 0; gram < grams.length; gram++) {
      const count = grams[gram] ?? 0;
      if (count === 0) continue;
      score += (weights[gram] ?? 0) * saturated(count, features.grams.length, average, bm25.grams);
    }
    return score;
  });
  return { scores, full };
}

function coverageOf({ terms, forms, gramsOf }: Asked, { places, grams }: Found): number {
  let covered = 0;
  let total = 0;
  for (const [index, term] of terms.entries()) {
    total += term.weight;
    const stands = forms[index]?.some((form) => (places[form] ?? 0) > 0) === true;
    if (stands) covered += term.weight * (term.known ? 1 : guessedShare);
    else if (isPart(term, gramsOf[index] ?? [], grams)) covered += term.weight * compoundShare;
  }
  return total === 0 ? 0 : covered / total;
}

function sum(numbers: Iterable<number>): number {
  let all = 0;
  for (const number of numbers) all += number;
  return all;
}

/** The BM25 weight of a term that occurs `count` times in a text of that length; defaults are those of stems. */
export function saturated(
  count: number,
  length: number,
  average: number,
  { k1, b }: { k1: number; b: number } = bm25.words,
): number {
  return (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / average));
}

/** `saturated` for stems, in the form for many calls: `ceiling * count / (count + base + slope * length)`. */
export const stemCeiling = bm25.words.k1 + 1;
export function stemDamping(average: number): { base: number; slope: number } {
  const { k1, b } = bm25.words;
  return { base: k1 * (1 - b), slope: (k1 * b) / average };
}

/** True when the word seems to be a part of another word: "Temperatur" in "Lagertemperatur". */
function isPart(term: ScoredTerm, own: readonly number[], grams: Uint8Array): boolean {
  // A number is never a part of another.
  if (term.isStopWord || term.text.length < shortestPart || hasDigit(term.text)) return false;
  // The first and last grams hold the word's edges. A compound lacks at least one of them, so neither counts.
  let present = 0;
  for (let at = 1; at < own.length - 1; at++) if ((grams[own[at] ?? 0] ?? 0) > 0) present++;
  const inner = own.length - 2;
  return inner > 0 && present >= inner * gramsOfPart;
}
