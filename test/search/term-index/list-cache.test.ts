import assert from 'node:assert/strict';
import { ListCache } from '../../../src/search/term-index/list-cache.js';
import type { TermList } from '../../../src/search/term-index/segment.js';

const terms: TermList = {
  ...{ hashes: new Uint32Array(0), ends: new Uint32Array(0) },
  ...{ slots: new Uint16Array(0), counts: new Uint8Array(0) },
};
const bytes = 100_000;

describe('The cache of term lists', () => {
  /** Asks for lists of 20 segments in their order, as a search does. Returns how many were in memory. */
  const search = (cache: ListCache, lists: readonly number[]) => {
    const lacks = Array.from({ length: 20 }, (_, at) => {
      const known = [...cache.ask(at + 1, lists)];
      return { segment: at + 1, lists: lists.filter((list) => known[list] === undefined) };
    });
    for (const { segment, lists } of lacks) {
      for (const list of lists) cache.add(segment, list, terms, bytes);
      cache.evict();
    }
    return lacks.reduce((held, own) => held + lists.length - own.lists.length, 0);
  };

  it('keeps most lists if a question needs more than fit', () => {
    const cache = new ListCache(100 * bytes);
    const lists = [1, 2, 3, 4, 5, 6];
    for (let times = 0; times < 10; times++) search(cache, lists);
    const held = Array.from({ length: 10 }, () => search(cache, lists));
    assert.ok(Math.min(...held) > 50, held.join());
    assert.ok(cache.bytes <= 100 * bytes);
  });

  it('keeps the lists that every question needs', () => {
    const cache = new ListCache(100 * bytes);
    const questions = Array.from({ length: 40 }, (_, at) => [1, 2, 10 + 3 * at, 11 + 3 * at]);
    for (const lists of questions) search(cache, lists);
    assert.equal(search(cache, [1, 2]), 40);
  });

  it('forgets lists that are no longer asked for', () => {
    const cache = new ListCache(100 * bytes);
    for (let times = 0; times < 50; times++) search(cache, [1, 2, 3, 4]);
    for (let times = 0; times < 50; times++) search(cache, [11, 12, 13, 14]);
    assert.equal(search(cache, [11, 12, 13, 14]), 80);
  });
});
