import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createCitationStream, verifyCitations } from '../../src/answers/verify-citations.js';

describe('The citations of a model’s answer', () => {
  const cases: [string, string, string, number[]][] = [
    ['stay as they are when they hold', 'A [1]. B [2].', 'A [1]. B [2].', [1, 2]],
    [
      'are numbered in the order of their first use',
      'A [3]. B [1]. C [3].',
      'A [1]. B [2]. C [1].',
      [3, 1],
    ],
    ['are removed when they name no passage', 'A [9]. B [0]. C [4].', 'A. B. C.', []],
    ['are removed one by one', 'A [9][2].', 'A [1].', [2]],
    ['may stand in one bracket', 'A [1, 3; 9].', 'A [1][2].', [1, 3]],
    ['are said once in a bracket', 'A [2, 2].', 'A [1].', [2]],
    ['are no links of the model’s making', 'A [2](https://evil.example/x).', 'A [1].', [2]],
    ['vanish with the link that an invalid one carries', 'A [7](https://evil.example).', 'A.', []],
    ['may stand without a space', 'A[2].', 'A[1].', [2]],
    [
      'are none in code',
      'Run `argv[2]` [1]:\n```\nx = a[3]\n```',
      'Run `argv[2]` [1]:\n```\nx = a[3]\n```',
      [1],
    ],
    ['are none in code that has no end', '[1]\n```\na[2]', '[1]\n```\na[2]', [1]],
    ['are numbers alone', 'A [note] [1a] [1234] [-1].', 'A [note] [1a] [1234] [-1].', []],
    ['may be absent', ' Plain text. ', 'Plain text.', []],
  ];
  for (const [behaviour, text, expected, cited] of cases) {
    it(behaviour, () => {
      assert.deepEqual(verifyCitations(text, 3), { text: expected, cited });
    });
  }
});

/** The same rule written down a second time, as one expression over the whole text. */
function oracle(text: string, count: number): { text: string; cited: number[] } {
  const cited: number[] = [];
  const verified = text.replaceAll(
    /```[^]*?(?:```|$)|`[^`\n]*`|[ \t]*((?:\[\d{1,3}(?:\s*[,;]\s*\d{1,3})*\](?:\([^)\s]*\))?)+)/g,
    (match, run: string | undefined) => {
      if (run === undefined) return match;
      const numbers = run.replaceAll(/\([^)]*\)/g, '').match(/\d+/g) ?? [];
      const marks = [...new Set(numbers.map(Number))]
        .filter((number) => number >= 1 && number <= count)
        .map((number) => {
          if (!cited.includes(number)) cited.push(number);
          return `[${cited.indexOf(number) + 1}]`;
        })
        .join('');
      return marks === '' ? '' : (/^[ \t]/.test(match) ? ' ' : '') + marks;
    },
  );
  return { text: verified.trim(), cited };
}

/** Pieces of which texts are made that are hard to read in parts. */
const piece = fc.oneof(
  fc.constantFrom('[', ']', '[1]', '[2', ', 3]', '; ', '(', ')', '](', '[9]', '[12]', '[1](a)'),
  fc.constantFrom('`', '``', '```', '\n', ' ', '\t', '  ', '\u00a0', 'argv[2]', '1', '23', ','),
  fc.constantFrom('word', 'Ärger', '日本', '\u{1F600}', '.', 'x\ny'),
  fc.string({ maxLength: 4 }),
);
const texts = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));

describe('A model’s answer that comes in pieces', () => {
  it('has the same text and the same citations, however it is cut', () => {
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }),
        (text, sizes) => {
          const said: string[] = [];
          const stream = createCitationStream(3, (part) => said.push(part));
          for (let at = 0, turn = 0; at < text.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            stream.push(text.slice(at, at + size));
            at += size;
          }
          const whole = stream.end();
          assert.deepEqual(whole, oracle(text, 3));
          assert.deepEqual(verifyCitations(text, 3), whole);
          assert.equal(said.join(''), whole.text);
          assert.ok(said.every((part) => part !== ''));
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('is passed on at once where nothing in it can become a citation', () => {
    const said: string[] = [];
    const stream = createCitationStream(3, (part) => said.push(part));
    for (const part of ['They ', 'are', ' made', ' at night', ' [', '3', ']', '.', ' Really']) {
      stream.push(part);
    }
    assert.deepEqual(said, ['They', ' are', ' made', ' at', ' night', ' [1]', '.', ' Really']);
  });

  it('is passed on within code that is still open', () => {
    const said: string[] = [];
    const stream = createCitationStream(3, (part) => said.push(part));
    for (const part of ['```sh', '\n', 'run', ' a[2]', '\n``']) stream.push(part);
    assert.equal(said.join(''), '```sh\nrun a[2]');
  });
});
