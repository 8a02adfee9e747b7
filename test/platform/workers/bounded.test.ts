import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { createBounded } from '../../../src/platform/workers/bounded.js';

describe('Bounded work', () => {
  it('runs a limited number at once and the others in order, and refuses more than may wait', async () => {
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

  it('keeps a place empty during its rest, but returns the result before', async () => {
    const rests: (() => void)[] = [];
    const rest = () => new Promise<void>((resolve) => rests.push(resolve));
    const bounded = createBounded({ atOnce: 1, waiting: 1, rest });
    let started = false;
    const first = bounded.run(() => Promise.resolve('first'));
    const second = bounded.run(() => {
      started = true;
      return Promise.resolve('second');
    });
    assert.equal(await first, 'first');
    await setImmediate();
    assert.equal(started, false);
    await assert.rejects(
      bounded.run(() => Promise.resolve()),
      { code: 'rate_limited' },
    );
    rests.shift()?.();
    assert.equal(await second, 'second');
    rests.shift()?.();
    await setImmediate();
    assert.equal(await bounded.run(() => Promise.resolve('third')), 'third');
  });

  it('lets queues take turns, and refuses work only if its own queue is full', async () => {
    const bounded = createBounded({ atOnce: 1, waiting: 3 });
    const done: string[] = [];
    const ask = (line: string, name: string) =>
      bounded.run(async () => {
        await setImmediate();
        done.push(name);
      }, line);
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name));
    await assert.rejects(ask('a', 'a5'), { code: 'rate_limited' });
    all.push(ask('b', 'b1'), ask('b', 'b2'), ask('c', 'c1'));
    await Promise.all(all);
    assert.deepEqual(done, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('continues after work that fails', async () => {
    const bounded = createBounded({ atOnce: 1, waiting: 1 });
    await assert.rejects(bounded.run(() => Promise.reject(new Error('no'))));
    assert.equal(await bounded.run(() => Promise.resolve('yes')), 'yes');
  });
});
