import assert from 'node:assert/strict';
import { layOutPage } from '../../src/pdf/layout/lay-out-page.js';
import { assembleSections } from '../../src/pdf/sections/assemble.js';

const parts = 500_000;
const size = 6;

describe('A page of half a million visible parts', () => {
  it('becomes sections, however many parts stand in one line, column or area', () => {
    const plain = { bold: false, italic: false, mono: false, rightToLeft: false, spaced: false };
    const placed = Array.from({ length: parts }, (_, at) => ({
      quarter: 0,
      run: {
        text: String(at % 90),
        x: 50 + ((at * 13) % 500),
        y: 700 + (at * 100) / parts,
        size,
        width: 2 * size * 0.5,
        ...plain,
      },
    }));
    const page = layOutPage(placed, { number: 1, width: 600, height: 842 });
    const limits = { sectionMaxChars: 4000, sectionMinChars: 200 };
    assert.ok(assembleSections([page], [], '', limits).length > 0);
  });
});
