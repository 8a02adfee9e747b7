import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LeastApart } from '../../../src/search/vectors/least-apart.js';

describe('Passages that are the least apart', () => {
  const signs = 12;

  it('are those with the fewest differences, and of equals those with the lower ids', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: signs }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        (differences, limit) => {
          const all = differences.map((bits, at) => ({ id: 3 * at + 1, bits }));
          const near = new LeastApart(limit, signs);
          for (const { id, bits } of all) near.add(id, bits);
          const wanted = all
            .toSorted((a, b) => a.bits - b.bits || a.id - b.id)
            .slice(0, limit)
            .map(({ id }) => id)
            .sort((a, b) => a - b);
          assert.deepEqual([...near.ids()], wanted);
        },
      ),
    );
  });

  it('include none with more differences than `most`', () => {
    const near = new LeastApart(2, signs);
    for (const [id, bits] of [9, 4, 7, 3].entries()) near.add(id, bits);
    assert.equal(near.most, 4);
    assert.deepEqual([...near.ids()], [1, 3]);
  });
});
