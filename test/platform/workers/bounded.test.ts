import assert from 'node:assert/strict';
import { createBounded } from '../../../src/platform/workers/bounded.js';

describe('Bounded work', () => {
  it('runs so much at once, the rest in order, and refuses what is beyond', async () => {
    const bounded = createBounded({ atOnce: 2, waiting: 2 });
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const work = (name: number) =>
      bounded.run(async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      });
    const all = [1, 2, 3, 4].map(work);
    await assert.rejects(work(5), { code: 'rate_limited' });
    assert.deepEqual(started, [1, 2]);
    ends.shift()?.();
    await all[0];
    await Promise.resolve();
    assert.deepEqual(started, [1, 2, 3]);
    ends.splice(0).forEach((end) => end());
    await all[2];
    while (ends.length === 0) await Promise.resolve();
    ends.splice(0).forEach((end) => end());
    assert.deepEqual(await Promise.all(all), [1, 2, 3, 4]);
  });

  it('goes on after work that fails', async () => {
    const bounded = createBounded({ atOnce: 1, waiting: 1 });
    await assert.rejects(bounded.run(() => Promise.reject(new Error('no'))));
    assert.equal(await bounded.run(() => Promise.resolve('yes')), 'yes');
  });
});
