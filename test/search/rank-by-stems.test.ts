import assert from 'node:assert/strict';
import { LRUCache } from 'lru-cache';
import type { App } from '../../src/platform/app.js';
import { bestPassages } from '../../src/search/ranking/rank-by-stems.js';
import type { StemGroup } from '../../src/search/ranking/score-segment.js';
import { saturated } from '../../src/search/ranking/score-passage.js';
import type { PassageIndex } from '../../src/search/term-index/index-cache.js';
import { joinSegments } from '../../src/search/term-index/join-segments.js';
import { buildSegment, type IndexedTerms } from '../../src/search/term-index/segment.js';
import { createChance } from '../support/chance.js';

const app = { db: { memory: {} } as App['db'] };
const chance = createChance(5);
/** Hashes of stems, the frequent ones first. */
const stems = Array.from({ length: 400 }, (_, index) => (index * 0x9e3779b1) >>> 0);
const stem = () => stems[Math.floor(stems.length * chance() ** 3)] ?? 0;

function passage(id: number): IndexedTerms {
  const counts = new Map<number, number>();
  const length = 2 + Math.floor(chance() * 12);
  for (let word = 0; word < length; word++) {
    const hash = stem();
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  const hashes = Uint32Array.from(counts.keys()).sort();
  const of = Uint8Array.from(hashes, (hash) => counts.get(hash) ?? 0);
  const grams = { length: 1, hashes: new Uint32Array(0), counts: new Uint8Array(0) };
  return {
    id,
    features: { words: { length, hashes, counts: of }, grams, order: new Uint16Array(0) },
  };
}

describe('The ranking by stems', () => {
  // Larger than what is scored at once, with passages that are the same as others.
  const passages = Array.from({ length: 20_000 }, (_, index) => passage(3 * index + 1)).map(
    (one, index, all) =>
      index % 3 === 0 ? { ...one, features: (all[index >> 1] ?? one).features } : one,
  );
  const parts = (from: number, end: number) =>
    Array.from({ length: Math.ceil((end - from) / 1000) }, (_, part) =>
      buildSegment(passages.slice(from + 1000 * part, Math.min(end, from + 1000 * (part + 1)))),
    );
  const isVisible = (id: number) => id % 5 !== 0;
  const visible = passages.filter(({ id }) => isVisible(id));
  const words = visible.reduce((sum, { features }) => sum + features.words.length, 0);
  const index: PassageIndex = {
    revision: 1,
    ids: Uint32Array.from(visible, ({ id }) => id),
    totals: { passages: visible.length, words, grams: 1 },
    segments: [joinSegments(parts(0, 18_000)), joinSegments(parts(18_000, 20_000))].map((one) => ({
      ...one,
      visible: Uint8Array.from(one.slots.ids, (id) => (isVisible(id) ? 1 : 0)),
    })),
    counts: new LRUCache({ max: 1 }),
  };
  const question = (): StemGroup[] =>
    Array.from({ length: 1 + Math.floor(chance() * 7) }, () => ({
      forms: Array.from({ length: 1 + Math.floor(chance() * 2) }, () => {
        return { hash: stem(), weight: 0.05 + 6 * chance() ** 3 };
      }),
    }));

  it('gives the same scores as a computation of each passage by itself', async () => {
    for (let asked = 0; asked < 5; asked++) {
      const groups = question();
      const found = await bestPassages(app, index, { groups, most: Infinity });
      const scores = new Map(found.map(({ id, score }) => [id, score]));
      for (const { id, features } of visible) {
        const { hashes, counts, length } = features.words;
        const gains = groups.map(({ forms }) =>
          forms.map(({ hash, weight }) => {
            const count = counts[hashes.indexOf(hash)] ?? 0;
            return count === 0 ? 0 : weight * saturated(count, length, words / visible.length);
          }),
        );
        const expected = gains.reduce((sum, own) => sum + Math.max(...own), 0);
        assert.ok(Math.abs((scores.get(id) ?? 0) - expected) < 1e-9);
      }
    }
  });

  it('finds the best ones, equal ones in their order, and those of the page, without scoring all', async () => {
    for (let asked = 0; asked < 60; asked++) {
      const groups = question();
      const among = Uint32Array.from(
        visible.filter(() => chance() < 0.01),
        ({ id }) => id,
      );
      const all = await bestPassages(app, index, { groups, most: Infinity });
      const expected = [
        ...all.slice(0, 100),
        ...all.filter(({ id }) => among.includes(id)).slice(0, 100),
      ];
      const found = await bestPassages(app, index, { groups, most: 100, among });
      assert.deepEqual(
        new Map(found.map(({ id, score }) => [id, score])),
        new Map(expected.map(({ id, score }) => [id, score])),
      );
    }
  });
});
