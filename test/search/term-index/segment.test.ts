import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  buildSegment,
  coarseLists,
  decodeList,
  decodeSlots,
  encodeList,
  encodeSlots,
  findPostings,
  listOf,
  mostLists,
} from '../../../src/search/term-index/segment.js';
import {
  joinLists,
  joinSlots,
  splitList,
  uniteLists,
} from '../../../src/search/term-index/join-segments.js';
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
          const list = lists[listOf(one, lists.length)];
          assert.ok(list);
          const postings = findPostings(list, one);
          const { from, end } = postings ?? { from: 0, end: 0 };
          const counts = [...list.counts.subarray(from, end)];
          const found = Array.from(list.slots.subarray(from, end), (slot, at) => [
            slot,
            counts[at],
          ]);
          const expected = passages.flatMap((counts, slot) => {
            const count = counts[one];
            return count === undefined ? [] : [[slot, Math.min(15, count)]];
          });
          assert.deepEqual(found, expected);
        }
      }),
    );
  });

  it('is the same whether built at once or joined from parts without deleted passages', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(passage, fc.boolean()), { maxLength: 40 }),
        fc.array(fc.nat(40), { maxLength: 4 }),
        (passages, cuts) => {
          const terms = passages.map(([counts, kept], index) => {
            return { id: 3 * index + 5, features: featuresOf(counts), kept };
          });
          const bounds = [0, ...cuts.sort((a, b) => a - b), terms.length];
          const parts = bounds.map((from, at) => buildSegment(terms.slice(from, bounds[at + 1])));
          const kept = terms.filter((one) => one.kept);
          const expected = buildSegment(kept);
          const present = Uint32Array.from(kept, ({ id }) => id);
          const { slots, moved } = joinSlots(
            parts.slice(0, -1).map((part) => part.slots),
            present,
          );
          const lists = expected.lists.map((_, list) =>
            joinLists(
              parts.slice(0, -1).flatMap((part) => part.lists[list] ?? []),
              moved,
            ),
          );
          assert.deepEqual(slots, expected.slots);
          assert.deepEqual(lists, expected.lists);
        },
      ),
    );
  });

  it('has the same postings after its lists were split and united', () => {
    fc.assert(
      fc.property(fc.array(passage, { maxLength: 40 }), (passages) => {
        const { lists } = buildSegment(
          passages.map((counts, id) => ({ id, features: featuresOf(counts) })),
        );
        for (const [index, list] of lists.entries()) {
          const split = splitList(list, index, mostLists);
          assert.equal(split.length, mostLists / coarseLists);
          assert.deepEqual(uniteLists(split), list);
          for (const [part, { hashes }] of split.entries()) {
            for (const one of hashes) {
              assert.equal(listOf(one, mostLists), index * split.length + part);
            }
          }
        }
      }),
    );
  });
});
