import assert from 'node:assert/strict';
import { duration, oneLine } from '../../../src/platform/cli/arguments.js';

describe('Arguments of the command line', () => {
  it('accept a duration in seconds, minutes, hours or days, up to a maximum', () => {
    const read = duration('--overlap', '30d');
    assert.deepEqual(
      ['0', '60s', '90s', '30m', '24h', '30d'].map(read),
      [0, 60, 90, 1800, 86_400, 2_592_000],
    );
    for (const wrong of ['', '24', '-1', '1.5h', '31d', '1w', '24 h', 'h', '9999999999', '1e3'])
      assert.throws(() => read(wrong), {
        code: 'usage',
        message: `--overlap: expected a time such as 90s, 30m, 24h or 7d, at most 30d, not ${JSON.stringify(wrong)}.`,
      });
  });

  it('accept a name of one line, and ignore spaces around it', () => {
    const read = oneLine('--name', 5);
    assert.equal(read('  Shop '), 'Shop');
    for (const wrong of ['', '  ', 'Shops!', 'a\nb', 'a\u001bb', '\ud800'])
      assert.throws(() => read(wrong), { code: 'usage', message: /^--name: expected one line/ });
  });
});
