import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createReplyReader, type Reply } from '../../src/answers/read-reply.js';

function read(parts: string[]): Reply & { said: string[] } {
  const said: string[] = [];
  const reader = createReplyReader(3, (text) => said.push(text));
  parts.forEach((part) => reader.push(part));
  return { ...reader.end(), said };
}

describe('The reply of a model', () => {
  const found = (text: string, cited: number[]) => ({ text, cited, notFound: false });
  const missing = (text: string) => ({ text, cited: [], notFound: true });
  const cases: [string, string, Omit<Reply, 'said'>][] = [
    ['is its text', 'At night [2].', found('At night [1].', [2])],
    ['says by the mark that nothing was found', ' NOT_FOUND\n', missing('')],
    ['may dress the mark up', '**"NOT_FOUND"**.', missing('')],
    ['may explain the mark', 'NOT_FOUND. The text is silent on it.', missing('')],
    ['may say the mark late', 'I am sorry. NOT_FOUND', missing('I am sorry.')],
    ['may write the mark small', 'not_found', missing('')],
    ['may write the mark as words', '**Not found.** The text is silent.', missing('')],
    ['may write the mark in capitals', 'NOT FOUND', missing('')],
    ['may write the mark as Markdown', 'NOT\\_FOUND', missing('')],
    ['may say such a mark late', 'Sorry. not\\_found.', missing('Sorry.')],
    [
      'may begin with these words',
      'Not found is code 404 [1].',
      found('Not found is code 404 [1].', [1]),
    ],
    [
      'may have these words in a sentence',
      'If it is not found, the code is not_found.',
      found('If it is not found, the code is not_found.', []),
    ],
    ['may deny', 'Not founded by anyone.', found('Not founded by anyone.', [])],
    [
      'may speak of a code of that name',
      'NOT_FOUND is given for unknown ids [1].',
      found('NOT_FOUND is given for unknown ids [1].', [1]),
    ],
    [
      'may name that code after a citation',
      'It fails [1]. The code NOT_FOUND says so.',
      found('It fails [1]. The code NOT_FOUND says so.', [1]),
    ],
    [
      'keeps what it found when the mark ends it',
      'It fails [1]. NOT_FOUND.',
      found('It fails [1].', [1]),
    ],
    [
      'has no thoughts',
      '<think>Hm [1]. NOT_FOUND?</think>\n\nAt night [2].',
      found('At night [1].', [2]),
    ],
    ['says nothing when it only thinks', ' <think>Hm [1]', found('', [])],
    ['may speak of thinking', 'A <think> tag [1].', found('A <think> tag [1].', [1])],
    ['may be empty', '', found('', [])],
    ['is none without a word', '[1]', found('', [])],
    ['is none of signs and citations', '**[1][2]**\n\n- [3].', found('', [])],
    ['may begin with a citation', '[2]: at night.', found('[1] at night.', [2])],
    ['may be a number', '42 [1]', found('42 [1]', [1])],
  ];
  for (const [behaviour, text, expected] of cases) {
    it(behaviour, () => {
      const { said, ...reply } = read([text]);
      assert.deepEqual(reply, expected);
      assert.equal(said.join(''), reply.text);
    });
  }

  it('has the same result however it is split into pieces', () => {
    const piece = fc.oneof(
      fc.constantFrom('NOT_FOUND', 'NOT', '_FOUND', 'N', '<think>', '</think>', '[1]', '[9]', ' '),
      fc.constantFrom('not', '_found', 'Not found', ' found', '\\', 'found', '-', '. ', 'x'),
      fc.constantFrom('\n', '**', '"', '.', 'word', '`', '```', '<', 'Not'),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.integer({ min: 1, max: 9 }),
        (pieces, size) => {
          const text = pieces.join('');
          const { said: _whole, ...expected } = read([text]);
          const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
            text.slice(index * size, (index + 1) * size),
          );
          const { said, ...reply } = read(parts);
          assert.deepEqual(reply, expected);
          assert.equal(said.join(''), reply.text);
        },
      ),
      { numRuns: 10000 },
    );
  });

  it('is passed on as soon as it can’t become the not-found mark', () => {
    assert.deepEqual(read(['No', ' one', ' may']).said, ['No', ' one', ' may']);
    assert.deepEqual(read(['N', 'O', 'T_', 'here']).said, ['NOT_here']);
    assert.deepEqual(read(['NOT_', 'FOUND', ' it is']).said, []);
  });
});
