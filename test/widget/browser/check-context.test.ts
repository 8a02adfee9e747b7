import assert from 'node:assert/strict';
import { checkContext } from '../../../src/widget/browser/check-context.js';

describe('setContext of the widget', () => {
  const check = (given: unknown) => {
    const warnings: string[] = [];
    return { context: checkContext(given, (sentence) => warnings.push(sentence)), warnings };
  };

  it('accepts a valid context, null and undefined', () => {
    const given = { url: 'https://a.example/', title: '', forms: [], selectedText: 'x' };
    assert.deepEqual(check({ ...given, pageStructure: undefined }), {
      context: given,
      warnings: [],
    });
    for (const nothing of [null, undefined])
      assert.deepEqual(check(nothing), { context: null, warnings: [] });
  });

  const bad: [string, unknown, RegExp][] = [
    ['an address that is none', { url: 5 }, /no such url/],
    ['an empty address', { url: '' }, /no such url/],
    ['a title that is none', { title: null }, /no such title/],
    ['forms that are no list', { forms: {} }, /no such forms/],
    ['a structure that is none', { pageStructure: 'x' }, /no such pageStructure/],
    ['a part that there is not', { constructor: 1 }, /no such constructor/],
  ];
  for (const [what, given, expected] of bad)
    it(`ignores a field and warns if the context has ${what}`, () => {
      const { context, warnings } = check(given);
      assert.deepEqual(context, {});
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', expected);
    });

  it('ignores a value that is no object, and warns', () => {
    const { context, warnings } = check('checkout');
    assert.equal(context, null);
    assert.match(warnings[0] ?? '', /takes an object/);
  });
});
