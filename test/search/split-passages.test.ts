import assert from 'node:assert/strict';
import { passagesIn } from '../../src/search/passages/split-passages.js';

const splitPassages = (text: string) => [...passagesIn(text)];

/** A text of numbered sentences of uneven length, in paragraphs. */
function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const words = Array.from({ length: 3 + ((index * 7) % 23) }, (__, word) => `w${index}x${word}`);
    return `Sentence ${index} has ${words.join(' ')}.${index % 9 === 8 ? '\n\n' : ' '}`;
  }).join('');
}

describe('The passages of a text', () => {
  it('are one for a short text and none for an empty text', () => {
    assert.deepEqual(splitPassages(' One sentence. '), ['One sentence.']);
    assert.deepEqual(splitPassages(' \n '), []);
    const text = `${'x'.repeat(1195)} end.`;
    assert.deepEqual(splitPassages(text), [text]);
  });

  it('contain the whole text, verbatim and in order', () => {
    for (const count of [40, 100, 300]) {
      const text = numbered(count);
      let covered = 0;
      let from = 0;
      for (const passage of splitPassages(text)) {
        const start = text.indexOf(passage, from);
        assert.notEqual(start, -1, passage.slice(0, 40));
        assert.equal(text.slice(covered, start).trim(), '', 'nothing but white space lies between');
        covered = Math.max(covered, start + passage.length);
        from = start + 1;
      }
      assert.equal(text.slice(covered).trim(), '');
    }
  });

  it('consist of whole sentences and have a similar size', () => {
    const passages = splitPassages(numbered(200));
    assert.ok(passages.length > 10);
    for (const passage of passages) {
      assert.match(passage, /^Sentence \d+ has .*\.$/s);
      assert.ok(passage.length <= 1000, String(passage.length));
    }
    for (const passage of passages.slice(0, -1)) assert.ok(passage.length > 600);
  });

  it('overlap by whole sentences of at most 200 characters', () => {
    const passages = splitPassages(numbered(200));
    for (const [index, passage] of passages.slice(1).entries()) {
      const first = /^Sentence \d+ has /.exec(passage)?.[0] ?? '';
      const before = passages[index] ?? '';
      const shared = before.slice(before.indexOf(first));
      assert.ok(before.includes(first), 'each begins within the one before');
      assert.ok(passage.startsWith(shared.trim()) && shared.length <= 200, String(shared.length));
    }
  });

  it('end at the same places whatever marks the text has', () => {
    const marked = numbered(200)
      .replaceAll(/w(\d+)x1 /g, '`w$1x1` ')
      .replaceAll(/w(\d+)x2 /g, '**[w$1x2](https://docs.example.com/a/long/address.html#w$1)** ')
      .replaceAll(/Sentence (\d*7) /g, '\n\n```text\nSentence $1 ')
      .replaceAll(/(Sentence \d*7 .*?\.)(?=[ \n])/g, '$1\n```\n\n')
      .replaceAll(/Sentence (\d*8) /g, '\n\n- Sentence $1 ');
    const numbers = (text: string) =>
      splitPassages(text).map((passage) =>
        [...passage.matchAll(/Sentence (\d+)/g)].map(([, number]) => number),
      );
    assert.deepEqual(numbers(marked), numbers(numbered(200)));
    const short = numbered(12);
    assert.ok(short.length < 1200);
    const emphasized = short.replaceAll(/w\d+x\d+/g, '**$&**');
    assert.ok(emphasized.length > 1300);
    assert.equal(splitPassages(emphasized).length, 1);
  });

  it('keep a sentence whole that is longer than a passage, and the text around it', () => {
    const long = `Long ${'word '.repeat(500)}end.`;
    const passages = splitPassages(`${numbered(20)}${long} After it. ${numbered(20)}`);
    assert.ok(passages.some((passage) => passage.includes(long)));
    assert.ok(passages.some((passage) => passage.includes('After it.')));
  });

  it('are split between words if the text has no sentence ends', () => {
    const words = Array.from({ length: 3000 }, (_, index) => `word${index}`);
    const passages = splitPassages(words.join(' '));
    for (const passage of passages) assert.ok(passage.length <= 1000, String(passage.length));
    const found = new Set(passages.flatMap((passage) => passage.split(' ')));
    assert.deepEqual(
      words.filter((word) => !found.has(word)),
      [],
    );
    assert.equal(splitPassages('x'.repeat(10_000)).join('').length, 10_000);
  });

  it('are split in linear time, even without sentence ends', () => {
    const passages = splitPassages(numbered(20_000));
    assert.ok(passages.length > 1000);
    assert.ok(splitPassages('x '.repeat(500_000)).length > 900);
  });
});
