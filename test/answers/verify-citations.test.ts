import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createCitationStream } from '../../src/answers/verify-citations.js';

/** What becomes of a whole text that comes in one piece. */
function verifyCitations(text: string, count: number): { text: string; cited: number[] } {
  const stream = createCitationStream(count, () => undefined);
  stream.push(text);
  return stream.end();
}

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
    ['leave code apart that they stood between', '``[9]````[1]', '`` ````[1]', []],
    ['are none in code that has no end', '[1]\n```\na[2]', '[1]\n```\na[2]', [1]],
    ['are numbers alone', 'A [note] [1a] [1234] [-1].', 'A [note] [1a] [1234] [-1].', []],
    [
      'may be a range',
      'A [1-3]. B [2–3], (C [1-2]).',
      'A [1][2][3]. B [2][3], (C [1][2]).',
      [1, 2, 3],
    ],
    ['may be a range behind another', 'A [1][2-3].', 'A [1][2][3].', [1, 2, 3]],
    [
      'may be a range in bold or a question',
      '**A [1-2]** B [2-3]?',
      '**A [1][2]** B [2][3]?',
      [1, 2, 3],
    ],
    [
      'may be a range where words have no spaces',
      '备份在夜间[1-2]。',
      '备份在夜间[1][2]。',
      [1, 2],
    ],
    [
      'are none in a range that goes beyond the passages',
      'The lines [9-17] [1]. B [2–9], [1][2-9].',
      'The lines [9-17] [1]. B [2–9], [1] [2-9].',
      [1],
    ],
    ['leave out a range that goes too far beside others', 'A [1, 2-9].', 'A [1].', [1]],
    [
      'are none where a range is glued to what it chooses from',
      'Use tty[1-3], ^[1-3][1-2]*$, [1-3]+ or [1-3]*.log; log[1-2].gz, [1-2]/x, x-[1-3].',
      'Use tty[1-3], ^[1-3][1-2]*$, [1-3]+ or [1-3]*.log; log[1-2].gz, [1-2]/x, x-[1-3].',
      [],
    ],
    [
      'are ranges in no code',
      'Run `grep [1-3]` [1-2]:\n```\nls tty[1-3]\n```',
      'Run `grep [1-3]` [1][2]:\n```\nls tty[1-3]\n```',
      [1, 2],
    ],
    ['may be footnotes, or have room', 'A [^2]. B [ 3 ]. C [^9].', 'A [1]. B [2]. C.', [2, 3]],
    ['may have other brackets', 'A 【2】. B【3†L1-L4】. C 【9】.', 'A [1]. B[2]. C.', [2, 3]],
    ['are none where digits are spoken of', 'A [0-9] [10-12-24].', 'A [0-9] [10-12-24].', []],
    ['are no links with a title', 'A [1](http://evil.example "t").', 'A [1].', [1]],
    ['are no links in signs', 'A [1](<http://evil.example/a b>) [2](a(b)c).', 'A [1] [2].', [1, 2]],
    ['are no links in brackets', 'A [[2]](http://evil.example) [[[3]]](x).', 'A [1] [2].', [2, 3]],
    ['are no links among words', 'A [see [2]](http://evil.example).', 'A [see [1]].', [2]],
    [
      'are no links by a name',
      'A [2][here] [[[[3]]]][here].',
      'A [1] [here] [[2]] [here].',
      [2, 3],
    ],
    ['are no links by what can’t be read', 'A [2](\nhttp://evil).', 'A [1] (\nhttp://evil).', [2]],
    ['are no links where others vanish', 'A [2] [9](a)(http://evil).', 'A [1] (http://evil).', [2]],
    ['define no links', '[1]: http://evil.example "t"\n\nA [1].', 'A [1].', [1]],
    [
      'define no links further down',
      'A [1].\n\n> [1]:\n  //evil.example\n\nB',
      'A [1].\n\n>\n\nB',
      [1],
    ],
    [
      'may stand before what they name',
      '[2]: The manual.\nA [2]: B.',
      '[1] The manual.\nA [1]: B.',
      [2],
    ],
    ['may be absent', ' Plain text. ', 'Plain text.', []],
  ];
  for (const [behaviour, text, expected, cited] of cases) {
    it(behaviour, () => {
      assert.deepEqual(verifyCitations(text, 3), { text: expected, cited });
    });
  }
});

/** Pieces of which texts are made that are hard to read in parts. */
const piece = fc.oneof(
  fc.constantFrom('[', ']', '[1]', '[2', ', 3]', '; ', '(', ')', '](', '[9]', '[12]', '[1](a)'),
  fc.constantFrom('`', '``', '```', '\n', ' ', '\t', '  ', '\u00a0', 'argv[2]', '1', '23', ','),
  fc.constantFrom(
    '【2†x】',
    '【',
    '†',
    '[^',
    '1-3',
    '[1-2]',
    '[2-9]',
    '[1-3]+',
    '-',
    ']:',
    ': http://e',
    '[[',
    ']]',
    '](<a b>)',
  ),
  fc.constantFrom('word', 'Ärger', '日本', '\u{1F600}', '.', 'x\ny'),
  fc.string({ maxLength: 4 }),
);
const texts = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));

describe('A streamed answer of a model', () => {
  it('has the same text and citations however it is split into pieces', () => {
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
          assert.deepEqual(verifyCitations(text, 3), whole);
          const prose = whole.text.replaceAll(/```[^]*?(?:```|$)|`[^`\n]*`/g, '`');
          assert.doesNotMatch(prose, /\[\d{1,3}\]\]*[([](?!\d)|^[\s>]*\[\d{1,3}\]:/m);
          const marks = [...prose.matchAll(/\[(\d{1,3})\]/g)].map(([, mark]) => Number(mark));
          assert.ok(marks.every((mark) => mark >= 1 && mark <= whole.cited.length));
          assert.ok(whole.cited.every((number) => number >= 1 && number <= 3));
          assert.equal(said.join(''), whole.text);
          assert.ok(said.every((part) => part !== ''));
        },
      ),
      { numRuns: 10000 },
    );
  });

  it('is passed on at once unless the text can become a citation', () => {
    const said: string[] = [];
    const stream = createCitationStream(3, (part) => said.push(part));
    for (const part of ['They ', 'are', ' made', ' at night', ' [', '3', ']', '.', ' Really']) {
      stream.push(part);
    }
    assert.deepEqual(said, ['They', ' are', ' made', ' at', ' night', ' [1]', '.', ' Really']);
  });

  it('is passed on inside an open code block', () => {
    const said: string[] = [];
    const stream = createCitationStream(3, (part) => said.push(part));
    for (const part of ['```sh', '\n', 'run', ' a[2]', '\n``']) stream.push(part);
    assert.equal(said.join(''), '```sh\nrun a[2]');
  });
});
