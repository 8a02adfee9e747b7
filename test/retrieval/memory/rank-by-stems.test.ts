import assert from 'node:assert/strict';
import { decodeStems, encodeStems } from '../../../src/platform/text/stem-codes.js';
import { hashOf } from '../../../src/platform/text/term-features.js';
import { rankByStems } from '../../../src/retrieval/memory/rank-by-stems.js';
import {
  addStems,
  countHolding,
  createStemIndex,
  mostInSegment,
} from '../../../src/retrieval/memory/stem-index.js';
import { createStemScorer } from '../../../src/retrieval/score-stems.js';

/** Numbers that look like chance, the same each time. */
function createChance(): () => number {
  let state = 7;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const words = Array.from({ length: 400 }, (_, index) => `word${index}`);

/** Stems of passages, some words of which stand in many. */
function inventPassages(number: number): Uint32Array[] {
  const chance = createChance();
  return Array.from({ length: number }, () => {
    const counts = new Map<number, number>();
    const length = 5 + Math.floor(chance() * 30);
    for (let term = 0; term < length; term++) {
      const hash = hashOf(words[Math.floor(words.length * chance() ** 3)] ?? '');
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
    const hashes = Uint32Array.from(counts.keys()).sort();
    const own = Uint8Array.from(hashes, (hash) => counts.get(hash) ?? 0);
    return decodeStems(encodeStems({ length, hashes, counts: own }));
  });
}

const wordOf = (weight: number, ...forms: string[]) => ({
  forms: forms.map((form, index) => ({ hash: hashOf(form), weight: weight - index })),
});

describe('The stems of all passages', () => {
  const groups = [wordOf(1, 'word1'), wordOf(5, 'word90', 'word2', 'word1'), wordOf(9, 'word300')];
  const average = 20;
  const passages = inventPassages(mostInSegment + 700);

  /** What each passage scores by itself. */
  const expected = (among: readonly Uint32Array[], isVisible: (slot: number) => boolean) => {
    const score = createStemScorer(groups, average);
    return among
      .map((data, slot) => ({ slot, score: score({ data, start: 0, end: data.length }) }))
      .filter((one) => one.score > 0 && isVisible(one.slot))
      .sort((a, b) => b.score - a.score || a.slot - b.slot)
      .map(({ slot }) => slot);
  };

  it('rank passages as scoring each of them does, whatever the steps in which they came', () => {
    const index = createStemIndex();
    for (let at = 0; at < passages.length; at += 1500) {
      addStems(index, passages.slice(at, at + 1500));
    }
    const all = () => true;
    const ranked = rankByStems(index, { groups, average, most: 50, isVisible: all });
    assert.deepEqual(ranked, expected(passages, all).slice(0, 50));
    assert.equal(index.segments.length, 2);
  });

  it('rank those alone that are visible', () => {
    const index = createStemIndex();
    addStems(index, passages);
    const odd = (slot: number) => slot % 2 === 1;
    const ranked = rankByStems(index, { groups, average, most: 30, isVisible: odd });
    assert.deepEqual(ranked, expected(passages, odd).slice(0, 30));
    const nobody = { groups, average, most: 30, isVisible: () => false };
    assert.deepEqual(rankByStems(index, nobody), []);
  });

  it('rank fewer than are wanted where no more hold any of the words, and none of an empty index', () => {
    const index = createStemIndex();
    const few = { groups, average, most: 30, isVisible: () => true };
    assert.deepEqual(rankByStems(index, few), []);
    addStems(index, passages.slice(0, 40));
    assert.deepEqual(
      rankByStems(index, few),
      expected(passages.slice(0, 40), () => true).slice(0, 30),
    );
    assert.deepEqual(rankByStems(index, { ...few, groups: [wordOf(1, 'elsewhere')] }), []);
  });

  it('tell how many passages hold one', () => {
    const index = createStemIndex();
    addStems(index, passages);
    const hash = hashOf('word1');
    const holding = passages.filter((stems) =>
      stems.subarray(1).some((stem) => stem >>> 8 === hash >>> 8),
    );
    assert.ok(holding.length > 100);
    assert.equal(
      countHolding(index, hash, () => true),
      holding.length,
    );
    assert.equal(
      countHolding(index, hashOf('elsewhere'), () => true),
      0,
    );
  });
});
