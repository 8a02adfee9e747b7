import assert from 'node:assert/strict';
import { toJson } from '../../src/chat/connection/plain-json.js';

describe('The JSON that the widget writes', () => {
  const values = [
    {
      type: 'message',
      text: 'a "quoted"\n line \u2028 and \ud800',
      at: 1.5,
      no: undefined,
      nothing: null,
    },
    [],
    {},
    [undefined, [1, [true, 'x']], { 'a"b': { deep: [{}] } }],
    'text',
    null,
  ];
  for (const value of values)
    it(`equals the output of JSON.stringify for ${JSON.stringify(value)}`, () => {
      assert.equal(toJson(value), JSON.stringify(value));
    });

  it('stays the same if an old library adds toJSON to lists and objects', () => {
    const value = { headings: ['One', 'Two'], forms: [{ fields: [] }] };
    const expected = JSON.stringify(value);
    const prototypes: object[] = [Array.prototype, Object.prototype];
    for (const prototype of prototypes)
      Object.defineProperty(prototype, 'toJSON', { value: () => 'x', configurable: true });
    try {
      assert.equal(JSON.stringify(value), '"x"');
      assert.equal(toJson(value), expected);
    } finally {
      for (const prototype of prototypes) Reflect.deleteProperty(prototype, 'toJSON');
    }
  });
});
