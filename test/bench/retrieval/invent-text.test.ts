import assert from 'node:assert/strict';
import { inventText } from '../../../bench/retrieval/invent-text.js';
import { manual } from '../../support/sample-knowledge.js';

const sample = Array.from({ length: 40 }, (_, index) =>
  manual.map(({ content }) =>
    content.replaceAll(/(\w{7,})/g, `$1${String.fromCharCode(97 + (index % 26))}`),
  ),
)
  .flat()
  .join('\n\n');

describe('Invented text', () => {
  it('is the same for the same seed, and different for another seed', () => {
    const text = (seed: number) => inventText(sample, seed).text(2000);
    assert.equal(text(1), text(1));
    assert.notEqual(text(1), text(2));
    assert.ok(text(1).length >= 2000);
  });

  it('has more different words the longer it is', () => {
    const inventor = inventText(sample, 7);
    const words = (length: number) =>
      new Set(
        inventor
          .text(length)
          .toLowerCase()
          .match(/\p{L}+/gu) ?? [],
      ).size;
    const few = words(5000);
    assert.ok(words(50_000) > 2 * few);
  });
});
