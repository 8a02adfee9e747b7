import assert from 'node:assert/strict';
import { inGroups } from '../../src/platform/workers/in-groups.js';

describe('Work that is done in groups', () => {
  it('combines simultaneous calls in order, up to the limit', async () => {
    const groups: number[][] = [];
    const double = inGroups(
      async (items: number[]) => {
        groups.push(items);
        await new Promise((resolve) => setImmediate(resolve));
        return items.map((item) => item * 2);
      },
      { weigh: (item) => item, limit: 6 },
    );
    assert.deepEqual(await Promise.all([1, 2, 3, 9, 1, 4].map(double)), [2, 4, 6, 18, 2, 8]);
    assert.deepEqual(groups, [[1, 2, 3], [9], [1, 4]]);
    assert.equal(await double(5), 10);
  });

  it('rejects only the call that fails', async () => {
    const refuse = inGroups(
      (items: string[]) =>
        items.includes('bad') ? Promise.reject(new Error('bad')) : Promise.resolve(items),
      { limit: 10 },
    );
    const settled = await Promise.allSettled(['a', 'b', 'bad', 'c'].map(refuse));
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
  });
});
