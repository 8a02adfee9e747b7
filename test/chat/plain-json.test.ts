import assert from 'node:assert/strict';
import { toJson } from '../../src/chat/connection/plain-json.js';

describe('What the widget writes as JSON', () => {
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
    it(`is what JSON.stringify writes of ${JSON.stringify(value)}`, () => {
      assert.equal(toJson(value), JSON.stringify(value));
    });

  it('is the same where an old library has given lists and objects a toJSON', () => {
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
