import assert from 'node:assert/strict';
import { fingerprintSections, pairSimilar } from '../../src/ingestion/versions/compare-versions.js';

const pump = 'Switch the pump off and open the lid before you clean the drum with cold water.';
const lamp = 'The lamp turns green when the heater is warm, and red when it is too hot to touch.';

describe('Comparing the texts of two versions', () => {
  it('pairs texts by similar content under another title, and by title with other content', async () => {
    const pairs = await pairSimilar(
      [
        { title: 'Cleaning', content: pump },
        { title: 'Signals', content: lamp },
      ],
      [
        { title: 'Signals', content: 'Nothing of what was said here holds any more.' },
        { title: 'Keeping it clean', content: `${pump} Then close it.` },
      ],
    );
    assert.deepEqual([...pairs].sort(), [
      [0, 1],
      [1, 0],
    ]);
  });

  it('pairs each text once, the most similar first', async () => {
    const pairs = await pairSimilar(
      [{ title: 'A', content: pump }],
      [
        { title: 'B', content: `${pump.slice(0, 50)} and so on and on, for a good while longer.` },
        { title: 'C', content: `${pump} Then close it.` },
      ],
    );
    assert.deepEqual([...pairs], [[1, 0]]);
  });

  it('does not pair texts that only share a subject', async () => {
    const other = { title: 'B', content: 'Clean water drives the pump; the drum has a lid.' };
    assert.equal((await pairSimilar([{ title: 'A', content: pump }], [other])).size, 0);
    assert.equal((await pairSimilar([{ title: 'A', content: pump }], [])).size, 0);
  });

  it('pairs texts with the same title in their order', async () => {
    const texts = Array.from({ length: 100 }, () => ({ title: 'Overview', content: '' }));
    const pairs = await pairSimilar(texts, texts);
    assert.ok([...pairs].every(([to, from]) => to === from));
    assert.equal(pairs.size, 100);
  });

  it('ignores spacing in the fingerprint of a text, and gives repeated texts different ones', () => {
    const [first, second, third] = fingerprintSections([
      { title: 'A  title', content: 'two\n\nlines' },
      { title: 'A title ', content: ' two lines' },
      { title: 'A title', content: 'two line' },
    ]);
    const [again] = fingerprintSections([{ title: 'A title', content: 'two lines' }]);
    assert.equal(first, again);
    assert.equal(new Set([first, second, third]).size, 3);
  });
});
