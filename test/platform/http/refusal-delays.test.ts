import assert from 'node:assert/strict';
import { createRefusalDelays } from '../../../src/platform/http/repeated-refusals.js';
import { createTestClock } from '../../support/test-clock.js';

describe('The delays of refusals', () => {
  const clock = createTestClock();
  const open = (apartMs = 250) => {
    const delayOf = createRefusalDelays(clock, apartMs);
    const refuse = (times: number, address: string, caller?: string) =>
      Array.from({ length: times }, () => delayOf(address, caller));
    return { delayOf, refuse };
  };

  it('begin after 20 refusals in a minute, and grow with each further refusal', () => {
    const { refuse } = open();
    assert.deepEqual(new Set(refuse(20, 'a')), new Set([0]));
    assert.deepEqual(refuse(3, 'a'), [250, 500, 750]);
    assert.deepEqual(refuse(1, 'b'), [0]);
    clock.advance(500);
    assert.deepEqual(refuse(1, 'a'), [500]);
    clock.advance(60_000);
    assert.deepEqual(refuse(1, 'a'), [0]);
  });

  it('count the refusals of a caller over all of its addresses', () => {
    const { delayOf } = open();
    for (let address = 0; address < 20; address++) delayOf(String(address), 'user:1');
    assert.equal(delayOf('20', 'user:1'), 250);
    assert.equal(delayOf('20', 'user:2'), 0);
  });

  it('are at most 20 times the setting, and off at 0', () => {
    assert.equal(open().refuse(100, 'a').at(-1), 5000);
    assert.equal(open(0).refuse(100, 'a').at(-1), 0);
  });
});
