import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { Dict, Name, NotUnderstood, Ref } from '../../../../src/pdf/reader/syntax/objects.js';
import { Keyword, Tokens, type Token } from '../../../../src/pdf/reader/syntax/tokens.js';

const resolver = { resolve: () => null };

function tokensOf(text: string, inFile = false): Token[] {
  const tokens = new Tokens(Buffer.from(text, 'latin1'), 0, inFile ? resolver : undefined);
  const all: Token[] = [];
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) all.push(token);
  return all;
}

describe('The tokens of a PDF', () => {
  it('include numbers in valid and in common invalid notations', () => {
    assert.deepEqual(
      tokensOf('1 -2 +3 4. .5 -.25 --6 0007 1.2.3 16777215'),
      [1, -2, 3, 4, 0.5, -0.25, -6, 7, 1.2, 16777215],
    );
  });

  it('include numbers with an exponent, as programs write them that know no better', () => {
    assert.deepEqual(tokensOf('3.05176e-05 -13.2 1E2 -2.5e+1 [4e1] 1e-99', true), [
      3.05176e-5,
      -13.2,
      100,
      -25,
      [40],
      1e-99,
    ]);
    const [number, ...words] = tokensOf('5EMC 6e 7e-');
    assert.deepEqual([number, words[1], words[3]], [5, 6, 7]);
  });

  it('include strings with escapes, nested brackets and any line ending', () => {
    assert.deepEqual(
      tokensOf('(a(b)c) (\\(\\)\\\\) (\\101\\60\\n) (one\\\ntwo) (a\r\nb\rc) <48 65 6C6> ()'),
      ['a(b)c', '()\\', 'A0\n', 'onetwo', 'a\nb\nc', 'Hel`', ''],
    );
  });

  it('include names with escapes, and keywords', () => {
    const [name, spaced, keyword, star, yes, no, nothing] = tokensOf(
      '/Type /A#20B obj T* true false null',
    );
    assert.deepEqual(
      [name, spaced].map((each) => each instanceof Name && each.text),
      ['Type', 'A B'],
    );
    assert.deepEqual(
      [keyword, star].map((each) => each instanceof Keyword && each.text),
      ['obj', 'T*'],
    );
    assert.deepEqual([yes, no, nothing], [true, false, null]);
  });

  it('include references in a file, which are three tokens in a content stream', () => {
    assert.deepEqual(tokensOf('[12 0 R 5]', true), [[new Ref(12, 0), 5]]);
    assert.equal(tokensOf('12 0 R').length, 3);
    assert.deepEqual(tokensOf('1 0 0 RG', true).slice(0, 3), [1, 0, 0]);
  });

  it('include nested arrays and dictionaries with comments in them', () => {
    const [dict] = tokensOf('<< /A [1 (two) /Three] % a comment >>\n /B << /C -1 >> >>', true);
    assert.ok(dict instanceof Dict);
    assert.deepEqual(dict.array('A')?.slice(0, 2), [1, 'two']);
    assert.equal(dict.dict('B')?.number('C'), -1);
  });

  it('are refused if they nest too deeply', () => {
    assert.throws(() => tokensOf('['.repeat(100_000)), NotUnderstood);
    assert.throws(() => tokensOf('<</A'.repeat(100_000)), NotUnderstood);
  });

  it('are read or refused for any bytes', () => {
    const alphabet = fc.constantFrom(...Array.from('()<>[]{}/%\\# \n\r019.-+RobjT*\x00\xff'));
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 200 }), (chars) => {
        try {
          tokensOf(chars.join(''), true);
        } catch (error) {
          assert.ok(error instanceof NotUnderstood);
        }
      }),
      { numRuns: 500 },
    );
  });
});
