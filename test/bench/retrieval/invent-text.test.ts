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
  it('is the same for the same seed, and another for another', () => {
    const text = (seed: number) => inventText(sample, seed).text(2000);
    assert.equal(text(1), text(1));
    assert.notEqual(text(1), text(2));
    assert.ok(text(1).length >= 2000);
  });

  it('has ever more words that stand in it once, as a longer text has', () => {
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
