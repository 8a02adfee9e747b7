import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mostSlots } from '../../../src/search/term-index/segment.js';
import type { SegmentSize } from '../../../src/search/term-index/segments.repository.js';
import { findMergeable } from '../../../src/search/term-index/write-segments.js';

describe('The segments of the term index', () => {
  /** Adds one after the other, and merges once after each, as each write does. */
  const grow = (sizes: Iterable<number>) => {
    let segments: SegmentSize[] = [];
    let rewritten = 0;
    for (const passages of sizes) {
      const id = (segments.at(-1)?.id ?? 0) + 1;
      segments.push({ id, first: id, last: id, passages });
      const run = findMergeable(segments) ?? [];
      const [first] = run;
      if (first === undefined) continue;
      const total = run.reduce((sum, one) => sum + one.passages, 0);
      assert.ok(run.length > 1 && total <= mostSlots);
      rewritten += total;
      segments = segments.flatMap((one) => {
        if (one === first) return [{ ...one, passages: total }];
        return run.includes(one) ? [] : [one];
      });
    }
    return { segments, rewritten };
  };

  it('stay few, and passages are rewritten rarely, whatever the writes', () => {
    const writes = fc.oneof(
      fc.array(fc.integer({ min: 64, max: 4096 }), { minLength: 100, maxLength: 600 }),
      fc.array(fc.integer({ min: 64, max: 200 }), { minLength: 100, maxLength: 3000 }),
    );
    fc.assert(
      fc.property(writes, (sizes) => {
        const total = sizes.reduce((sum, size) => sum + size, 0);
        const { segments, rewritten } = grow(sizes);
        assert.ok(segments.length <= 20 + (2 * total) / mostSlots, `${segments.length} segments`);
        assert.ok(rewritten <= 5 * total);
      }),
      { numRuns: 30 },
    );
  }).timeout(20_000);

  it('are some dozens for a million passages', () => {
    for (const size of [64, 100, 575, 4096]) {
      const { segments } = grow(new Array<number>(Math.ceil(1e6 / size)).fill(size));
      assert.ok(segments.length < 48, `${segments.length} segments of writes of ${size}`);
    }
  }).timeout(20_000);
});
