import assert from 'node:assert/strict';
import { createRequestQueue, type QueueGuest } from '../../../src/platform/models/request-queue.js';

describe('The queue for the model', () => {
  let admitted: string[];
  let places: (() => void)[];
  beforeEach(() => {
    admitted = [];
    places = [];
  });

  const open = (limit: number) => {
    const queue = createRequestQueue(limit);
    const come = (name: string, guest: QueueGuest = {}, signal = new AbortController().signal) =>
      queue.enter(signal, guest).then((leave) => {
        admitted.push(name);
        places.push(leave);
      });
    return { queue, come };
  };
  /** Returns the taken places one by one until nobody waits. */
  const serveAll = async () => {
    for (;;) {
      await new Promise(setImmediate);
      const leave = places.shift();
      if (leave === undefined) return;
      leave();
    }
  };

  it('lets callers take turns, even if one of them sends many requests', async () => {
    const { come } = open(1);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) {
      void come(name, { caller: name[0] ?? '' });
    }
    await serveAll();
    assert.deepEqual(admitted, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('prefers callers without a place to callers that have one', async () => {
    const { come } = open(2);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void come(name, { caller: 'a' });
    void come('b1', { caller: 'b' });
    await new Promise(setImmediate);
    places.shift()?.();
    await new Promise(setImmediate);
    assert.deepEqual(admitted, ['a1', 'a2', 'b1']);
    await serveAll();
    assert.equal(admitted.length, 5);
  });

  it('serves people before background work, but does not delay that work forever', async () => {
    const { come } = open(1);
    void come('first');
    void come('work', { background: true });
    for (let person = 0; person < 30; person += 1) void come(`person ${person}`);
    await serveAll();
    const place = admitted.indexOf('work');
    assert.ok(place > 5 && place < 20, `it came at ${place}`);
    assert.equal(admitted.length, 32);
  });

  it('keeps one place free for people while background work uses the others', async () => {
    const { queue, come } = open(3);
    for (let work = 0; work < 6; work += 1) void come(`work ${work}`, { background: true });
    assert.deepEqual(queue.load(), { running: 2, waiting: 4 });
    await come('person');
    assert.deepEqual(queue.load(), { running: 3, waiting: 4 });
    await serveAll();
    assert.deepEqual(queue.load(), { running: 0, waiting: 0 });
    assert.equal(admitted.length, 7);
  });

  it('removes callers who leave, and moves the others up', async () => {
    const { queue, come } = open(1);
    const positions: string[] = [];
    const guest = (name: string) => ({
      caller: name,
      onPosition: (position: number) => positions.push(`${name} ${position}`),
    });
    const gone = new AbortController();
    void come('first');
    const left = come('b', guest('b'), gone.signal);
    void come('c', guest('c'));
    gone.abort(new Error('left'));
    await assert.rejects(left, /left/);
    assert.deepEqual(positions, ['b 1', 'c 2', 'c 1']);
    assert.deepEqual(queue.load(), { running: 1, waiting: 1 });
    await serveAll();
    assert.deepEqual(admitted, ['first', 'c']);
  });

  it('refuses only a caller whose listener fails', async () => {
    const { queue, come } = open(1);
    void come('first');
    const failing = come('b', {
      onPosition: () => {
        throw new Error('bug');
      },
    });
    const waiting = come('c');
    await assert.rejects(failing, /bug/);
    await serveAll();
    await waiting;
    assert.deepEqual(admitted, ['first', 'c']);
    assert.deepEqual(queue.load(), { running: 0, waiting: 0 });
  });

  it('frees a place only once, even if it is returned twice', async () => {
    const { queue, come } = open(1);
    await come('first');
    void come('second');
    void come('third');
    places[0]?.();
    places[0]?.();
    assert.deepEqual(queue.load(), { running: 1, waiting: 1 });
    await serveAll();
  });

  it('gives no place to a caller who has already left', async () => {
    const { queue } = open(1);
    await assert.rejects(queue.enter(AbortSignal.abort(new Error('gone'))), /gone/);
    assert.deepEqual(queue.load(), { running: 0, waiting: 0 });
  });
});
