import assert from 'node:assert/strict';
import { fuseRankings } from '../../../src/retrieval/fuse-rankings.js';
import { rankWithVectors, type WordScored } from '../../../src/retrieval/rank-with-vectors.js';

describe('Fusing rankings', () => {
  const order = (scores: Map<number, number>) =>
    [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id);

  it('puts first what stands high in both, and gives 1 to what is first in all', () => {
    const scores = fuseRankings([
      { ids: [1, 2, 3], weight: 1 },
      { ids: [1, 3, 4], weight: 1 },
    ]);
    assert.deepEqual(order(scores), [1, 3, 2, 4]);
    assert.equal(scores.get(1), 1);
  });

  it('counts a ranking as much as its weight', () => {
    const scores = fuseRankings([
      { ids: [1], weight: 1 },
      { ids: [2], weight: 3 },
    ]);
    assert.deepEqual([scores.get(1), scores.get(2)], [0.25, 0.75]);
    assert.equal(fuseRankings([{ ids: [1], weight: 0 }]).get(1), 0);
  });
});

describe('A ranking by words joined with one by vectors', () => {
  const passage = (id: number, score: number, coverage: number, place = 0): WordScored => ({
    ...{ id, score, coverage },
    parts: { words: 0, grams: 0, place },
  });
  const near = (...ids: number[]) => ids.map((id, index) => ({ id, similarity: 0.9 - index / 2 }));
  const join = (words: WordScored[], found: number[], vectors: number[]) =>
    rankWithVectors(words, new Set(found), near(...vectors));

  it('is the one by words where there are no vectors', () => {
    const ranked = join([passage(1, 2, 1), passage(2, 1, 0.5)], [1, 2], []);
    assert.deepEqual(
      ranked.map(({ id, score, ranks }) => [id, score, ranks.wordRank, ranks.vector]),
      [
        [1, 2, 1, null],
        [2, 1, 2, null],
      ],
    );
  });

  it('tells of each passage where it stood', () => {
    const words = [passage(1, 2, 1), passage(2, 1, 0.5), passage(3, 0, 0)];
    const ranked = join(words, [1, 2], [2, 3]);
    const ranks = new Map(ranked.map((one) => [one.id, one.ranks]));
    assert.deepEqual(ranks.get(1), {
      ...{ wordRank: 1, vector: null, vectorRank: null, standsOut: null },
    });
    assert.deepEqual(ranks.get(2), {
      ...{ wordRank: 2, vector: 0.9, vectorRank: 1, standsOut: (0.9 - 0.4) / (1 - 0.4) },
    });
    assert.deepEqual(ranks.get(3), {
      ...{ wordRank: null, vector: 0.4, vectorRank: 2, standsOut: 0 },
    });
    assert.equal(ranked[0]?.id, 2);
  });

  it('believes words as far as they cover the question: few of another language’s can be met', () => {
    const chance = [passage(1, 2, 0.1), passage(2, 1.9, 0.1), passage(3, 0, 0)];
    assert.equal(join(chance, [1, 2], [3, 2, 1])[0]?.id, 3);
    const certain = [passage(1, 2, 1), passage(2, 1.9, 0.9), passage(3, 0, 0)];
    assert.equal(join(certain, [1, 2], [3, 2, 1])[0]?.id, 1);
  });

  it('puts nothing that shares no word above what does, where all are about equally near', () => {
    const words = [passage(1, 2, 0.3), passage(2, 1, 0.1), passage(3, 0, 0), passage(4, 0, 0)];
    const poor = [3, 4, 1, 2].map((id, index) => ({ id, similarity: 0.4 - index / 50 }));
    assert.deepEqual(
      rankWithVectors(words, new Set([1, 2]), poor).map(({ id }) => id),
      [1, 2, 3, 4],
    );
  });

  it('prefers what belongs to the page among what is equally near, and hides nothing', () => {
    const words = [passage(2, 0.3, 0, 0.3), passage(1, 0, 0)];
    assert.deepEqual(
      rankWithVectors(words, new Set(), [
        { id: 1, similarity: 0.9 },
        { id: 2, similarity: 0.88 },
      ]).map(({ id }) => id),
      [2, 1],
    );
    const far = rankWithVectors(words, new Set(), [
      { id: 1, similarity: 0.9 },
      { id: 2, similarity: 0.4 },
    ]);
    assert.deepEqual(
      far.map(({ id }) => id),
      [1, 2],
    );
  });
});
