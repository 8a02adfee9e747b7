import assert from 'node:assert/strict';
import { fuseScores, type WordScored } from '../../../src/search/ranking/fuse-scores.js';

describe('Scores of words and vectors combined', () => {
  const passage = (id: number, score: number, coverage: number, place = 0): WordScored => ({
    ...{ id, score, coverage, language: 'en', bonus: { place } },
  });
  const near =
    (...similarities: number[]) =>
    (ids: number[]) =>
      ids.map((id, index) => ({ id, similarity: similarities[index] ?? 0 }));
  const full = () => 1;
  const isJudged = () => true;
  const order = (ranked: { id: number }[]) => ranked.map(({ id }) => id);

  it('equal the word scores if there are no vectors', () => {
    const words = [passage(1, 1, 1), passage(2, 0.5, 0.5)];
    const ranked = fuseScores(words, new Set([1, 2]), { near: [], trust: full, isJudged });
    assert.deepEqual(
      ranked.map(({ id, score, ranks }) => [id, score, ranks.wordRank, ranks.vector]),
      [
        [1, 1, 1, null],
        [2, 0.5, 2, null],
      ],
    );
  });

  it('include each passage’s ranks and what its vector adds', () => {
    const words = [passage(1, 1, 1), passage(2, 0.5, 0.5), passage(3, 0, 0)];
    const vectors = { near: near(0.9, 0.4)([2, 3]), trust: () => 0.5, isJudged };
    const ranked = fuseScores(words, new Set([1, 2]), vectors);
    const ranks = new Map(ranked.map((one) => [one.id, one.ranks]));
    assert.deepEqual(ranks.get(1), {
      ...{
        wordRank: 1,
        vector: null,
        vectorRank: null,
        standsOut: null,
        trust: null,
        judged: false,
      },
    });
    assert.deepEqual(ranks.get(2), {
      ...{ wordRank: 2, vector: 0.9, vectorRank: 1, standsOut: (0.9 - 0.4) / (1 - 0.4) },
      ...{ trust: 0.5, judged: true },
    });
    assert.deepEqual(ranks.get(3), {
      ...{ wordRank: null, vector: 0.4, vectorRank: 2, standsOut: 0 },
      ...{ trust: 0.5, judged: true },
    });
  });

  it('weigh words by their coverage of the question', () => {
    const three = near(0.9, 0.5, 0.4)([3, 2, 1]);
    const chance = [passage(1, 1, 0.1), passage(2, 0.9, 0.1), passage(3, 0, 0)];
    const found = new Set([1, 2]);
    assert.equal(fuseScores(chance, found, { near: three, trust: full, isJudged })[0]?.id, 3);
    const certain = [passage(1, 1, 1), passage(2, 0.9, 0.9), passage(3, 0, 0)];
    assert.equal(fuseScores(certain, found, { near: three, trust: full, isJudged })[0]?.id, 1);
  });

  it('rank a passage with shared words first if all vectors are equally near', () => {
    const words = [passage(1, 1, 0.3), passage(2, 0.8, 0.1), passage(3, 0, 0), passage(4, 0, 0)];
    const poor = near(0.4, 0.38, 0.36, 0.34)([3, 4, 1, 2]);
    const ranked = fuseScores(words, new Set([1, 2]), { near: poor, trust: () => 0.5, isJudged });
    assert.deepEqual(order(ranked).slice(0, 2), [1, 2]);
  });

  it('ignore vectors without trust, separately for each language', () => {
    const spanish = { ...passage(2, 0, 0), language: 'es' as const };
    const words = [passage(1, 0.2, 0.2), spanish, passage(3, 0, 0), passage(4, 0, 0)];
    const all = near(0.9, 0.8, 0.1, 0.1)([2, 3, 1, 4]);
    const trust = (language: string) => (language === 'es' ? 0 : 1);
    const ranked = fuseScores(words, new Set([1]), { near: all, trust, isJudged });
    assert.deepEqual(order(ranked), [3, 1, 4]);
    const none = fuseScores(words, new Set([1]), { near: all, trust: () => 0, isJudged });
    assert.deepEqual(order(none), [1]);
    assert.equal(none[0]?.ranks.vector, null);
  });

  it('prefer entries of the page among equally near ones, and hide none', () => {
    const words = [passage(2, 0.15, 0, 0.3), passage(1, 0, 0)];
    const vectors = (second: number) => ({
      near: near(0.9, second)([1, 2]),
      trust: full,
      isJudged,
    });
    assert.deepEqual(order(fuseScores(words, new Set(), vectors(0.88))), [2, 1]);
    assert.deepEqual(order(fuseScores(words, new Set(), vectors(0.4))), [1, 2]);
  });
});
