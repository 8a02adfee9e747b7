import assert from 'node:assert/strict';
import { hasPageWords, pageWordsOf, textDirective } from '../../../src/platform/text/page-words.js';
import { assertLinear } from '../../support/assert-linear.js';

describe('The words of a text in its page', () => {
  const texts: [markdown: string, words: string[], why: string][] = [
    ['Hold `reset` for 10 s.', ['Hold reset for 10 s.'], 'have no signs of code'],
    ['Set snake\\_case \\*now\\*.', ['Set snake_case *now*.'], 'have no escapes'],
    ['- See [the lid](source:a#b) too', ['See the lid too'], 'are those of links and items'],
    ['Open it.[^3] Then [^4] close it.', ['Open it.', 'close it.'], 'end at a footnote'],
    ['Say “open the lid” aloud now', ['open the lid', 'aloud now'], 'end at quotation marks'],
    ['| Key | What it does |\n| --- | --- |', ['What it does'], 'are those of one cell'],
    ['```sh\npump -t `date` \\*\n```', ['pump -t `date` \\*'], 'are a line of a listing'],
    ['Lid: close it after each use', ['close it after each use'], 'may follow a term'],
    ['First line\nSecond line', ['First line', 'Second line'], 'are of one line'],
    ['Yes.', [], 'are more than one'],
    ['### Reset it now\n\nHold it.', [], 'are not those of a heading'],
  ];
  for (const [markdown, words, why] of texts) {
    it(why, () => {
      assert.deepEqual(pageWordsOf(markdown), words);
    });
  }

  it('are at most 16, of a length that databases search for', () => {
    assert.equal(pageWordsOf('lid '.repeat(40))[0]?.split(' ').length, 16);
    const long = 'x'.repeat(60_000);
    assert.deepEqual(pageWordsOf(`lid of ${long} lid`), ['lid of']);
    assert.deepEqual(pageWordsOf(`lid ${long}`), []);
  });

  it('are found in a time that grows with the text alone', () => {
    for (const part of [' ', '\n', '\t', '[^', ': a', '[a](', '`']) {
      assertLinear((size) => pageWordsOf(`a b${part.repeat(size / part.length)}x`), 100_000);
      assertLinear((size) => pageWordsOf(`${part.repeat(size / part.length)}x y`), 100_000);
      assertLinear((size) => hasPageWords(`a${part.repeat(size / part.length)}x`, 'x y'), 100_000);
    }
  }).timeout(20_000);

  it('are found in a text that has them with other signs and breaks', () => {
    assert.equal(hasPageWords('- Hold\n  [`Reset`](source:a) now', 'hold reset now'), true);
    assert.equal(hasPageWords('Hold the reset now', 'hold reset now'), false);
  });

  it('are a directive without signs that have a meaning there, and of whole characters', () => {
    assert.equal(textDirective('a-b, c & d\ud800'), 'text=a%2Db%2C%20c%20%26%20d%EF%BF%BD');
  });
});
