import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AppError } from '../../../src/platform/errors.js';
import { readQuery } from '../../../src/platform/http/serve-operation.js';

describe('A query string', () => {
  const problemsOf = (querystring: string) => {
    try {
      readQuery(querystring);
    } catch (error) {
      assert.ok(error instanceof AppError);
      assert.equal(error.code, 'invalid_request');
      return error.problems;
    }
    return undefined;
  };

  it('is read as browsers write it', () => {
    const read = readQuery(
      '?q=a+b%2Bc&url=https://a.example/?x=1&empty=&bare&&%C3%BC=%E2%82%AC'.slice(1),
    );
    assert.deepEqual(read, {
      q: 'a b+c',
      url: 'https://a.example/?x=1',
      empty: '',
      bare: '',
      ü: '€',
    });
  });

  it('returns the values that URLSearchParams wrote', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' })),
        (given) => {
          const entries = Object.entries(given).filter(([key, value]) => {
            return !`${key}${value}`.includes('\u0000') && key !== '__proto__';
          });
          const written = new URLSearchParams(entries).toString();
          assert.deepEqual(readQuery(written), Object.fromEntries(entries));
        },
      ),
    );
  });

  it('is refused with the name of the parameter if it is invalid or repeated', () => {
    for (const [querystring, path, message] of [
      ['page=1&page=2', 'page', /more than once/],
      ['q=%', 'q', /percent-encoding/],
      ['q=%E4', 'q', /percent-encoding/],
      ['%ZZ=1', '%ZZ', /percent-encoding/],
      ['q=a%00b', 'q', /null character/],
      ['q=%ED%A0%80', 'q', /percent-encoding/],
      ['__proto__=1', '__proto__', /unknown key/],
    ] as const) {
      const [problem] = problemsOf(querystring) ?? [];
      assert.equal(problem?.path, path, querystring);
      assert.match(problem.message, message);
    }
  });

  it('causes at most 20 reported problems', () => {
    for (const part of ['a%zz&', 'a=%zz&', 'a=1&']) {
      assert.equal(problemsOf(part.repeat(3000))?.length, 20, part);
    }
  });

  it('is either read or refused with problems, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (querystring) => {
        const problems = problemsOf(querystring);
        assert.ok(problems === undefined || problems.length > 0);
      }),
    );
  });
});
