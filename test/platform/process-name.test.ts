import assert from 'node:assert/strict';
import { hasEnded, numberOf, thisProcess } from '../../src/platform/process-name.js';
import { nameOfEndedProcess } from '../support/ended-process.js';

describe('The name of a process', () => {
  it('shows whether the process has ended, but only on its own machine', async () => {
    const ended = await nameOfEndedProcess();
    const [, start = '', place = ''] = thisProcess.split('-');
    assert.equal(numberOf(thisProcess), String(process.pid));
    assert.equal(hasEnded(ended), true);
    assert.equal(hasEnded(thisProcess), false);
    // The parent still runs. A reused number would have another start time.
    assert.equal(hasEnded(`${process.ppid}-1${start}-${place}`), start !== '');
    assert.equal(hasEnded(ended.replace(place, '0'.repeat(12))), false, 'of another machine');
    for (const name of [
      '',
      '0',
      `0-${start}-${place}`,
      `x-${start}-${place}`,
      ended.slice(0, -1),
    ]) {
      assert.equal(hasEnded(name), false, name);
    }
  });
});
