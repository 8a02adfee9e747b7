import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  buildSegment,
  countIn,
  decodeList,
  decodeSlots,
  encodeList,
  encodeSlots,
  findPostings,
  listOf,
  slotOf,
} from '../../../src/search/term-index/segment.js';
import type { TermFeatures } from '../../../src/language/term-features.js';

const hash = fc.oneof(fc.integer({ min: 0, max: 0xffffffff }), fc.constantFrom(0, 0xffffffff, 7));
const passage = fc.dictionary(hash.map(String), fc.integer({ min: 1, max: 255 }), { maxKeys: 12 });

function featuresOf(counts: Record<string, number>): TermFeatures {
  const hashes = Uint32Array.from(Object.keys(counts), Number).sort();
  const words = {
    length: Object.values(counts).reduce((sum, count) => sum + count, 0),
    hashes,
    counts: Uint8Array.from(hashes, (one) => counts[one] ?? 0),
  };
  const grams = { length: 3, hashes: new Uint32Array(0), counts: new Uint8Array(0) };
  return { words, grams, order: new Uint16Array(0) };
}

describe('A segment of the term index', () => {
  it('returns each stem’s passages and counts up to 15 after storing and reading', () => {
    fc.assert(
      fc.property(fc.array(passage, { maxLength: 40 }), hash, (passages, another) => {
        const built = buildSegment(
          passages.map((counts, index) => ({ id: 3 * index + 5, features: featuresOf(counts) })),
        );
        const slots = decodeSlots(encodeSlots(built.slots));
        assert.deepEqual(
          [...slots.ids],
          passages.map((_, index) => 3 * index + 5),
        );
        assert.deepEqual(slots.words, built.slots.words);
        const lists = built.lists.map((list) => decodeList(encodeList(list)));
        const asked = new Set([
          another,
          ...passages.flatMap((one) => Object.keys(one).map(Number)),
        ]);
        for (const one of asked) {
          const list = lists[listOf(one)];
          assert.ok(list);
          const found = [...(findPostings(list, one) ?? [])].map((posting) => {
            return [slotOf(posting), countIn(posting)];
          });
          const expected = passages.flatMap((counts, slot) => {
            const count = counts[one];
            return count === undefined ? [] : [[slot, Math.min(15, count)]];
          });
          assert.deepEqual(found, expected);
        }
      }),
    );
  });
});
