import assert from 'node:assert/strict';
import { LRUCache } from 'lru-cache';
import type { App } from '../../../src/platform/app.js';
import { cacheOf, type OrganizationIndex } from '../../../src/search/term-index/index-cache.js';

describe('The cache of visible passages', () => {
  const ofSize = (passages: number): OrganizationIndex => {
    const numbers = () => new Uint32Array(passages);
    const slots = { ids: numbers(), words: numbers(), grams: numbers() };
    return {
      ...{ revision: 1, tail: [], groups: [], scopes: new LRUCache({ max: 1 }) },
      segments: [{ id: 1, slots, lists: undefined }],
    };
  };

  it('keeps an organization of a million passages beside small ones', () => {
    const { organizations } = cacheOf({ db: { memory: {} } as App['db'] });
    for (const [id, size] of [1000, 1_000_000, 1000].entries()) organizations.set(id, ofSize(size));
    assert.deepEqual([...organizations.keys()].sort(), [0, 1, 2]);
  });

  it('keeps one organization of any size', () => {
    const { organizations } = cacheOf({ db: { memory: {} } as App['db'] });
    organizations.set(1, ofSize(3_000_000));
    assert.ok(organizations.has(1));
    organizations.set(2, ofSize(1000));
    assert.ok(organizations.has(2));
  });

  it('counts the memory of each scope', () => {
    const { organizations } = cacheOf({ db: { memory: {} } as App['db'] });
    organizations.set(1, ofSize(1_000_000));
    // Three numbers of a passage, its group's, and for each of 16 scopes a number and a flag.
    assert.ok(organizations.calculatedSize >= 1_000_000 * (12 + 4 + 16 * 5));
  });
});
