import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { eventStream, type ServerEvent } from '../../../src/platform/http/event-stream.js';

describe('A stream of events', () => {
  async function* three(): AsyncGenerator<ServerEvent> {
    for (const data of [1, 2, 3]) {
      await Promise.resolve();
      yield { event: 'count', data };
    }
  }
  const events = [1, 2, 3].map((n) => `event: count\ndata: ${n}\n\n`).join('');

  it('begins at once, holds the events, and ends with the last', async () => {
    assert.equal(await text(eventStream(three()).body), `: connected\n\n${events}`);
    const never = new AbortController();
    assert.equal(await text(eventStream(three(), never.signal).body), `: connected\n\n${events}`);
    never.abort();
  });

  it('ends whole, with a comment, when it is told to; what still comes is not sent', async () => {
    const stop = new AbortController();
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    async function* endless(): AsyncGenerator<ServerEvent> {
      try {
        yield { event: 'count', data: 1 };
        stop.abort();
        yield { event: 'count', data: 2 };
      } finally {
        finish();
      }
      await Promise.resolve();
    }
    const all = await text(eventStream(endless(), stop.signal).body);
    const first = 'event: count\ndata: 1\n\n';
    assert.equal(all, `: connected\n\n${first}: the server is stopping\n\n`);
    await finished;
    const late = await text(eventStream(three(), stop.signal).body);
    assert.equal(late, ': connected\n\n: the server is stopping\n\n');
  });

  it('breaks off where what makes the events fails', async () => {
    async function* broken(): AsyncGenerator<ServerEvent> {
      yield* three();
      throw new Error('out of events');
    }
    await assert.rejects(text(eventStream(broken()).body), /out of events/);
  });

  it('numbers events that have a number, for a client that comes back', async () => {
    async function* numbered(): AsyncGenerator<ServerEvent> {
      yield await Promise.resolve({ id: 7, event: 'count', data: 'x' });
    }
    const all = await text(eventStream(numbered()).body);
    assert.equal(all, ': connected\n\nid: 7\nevent: count\ndata: "x"\n\n');
  });

  it('makes events for a slow reader no faster than it reads', async () => {
    let made = 0;
    async function* many(): AsyncGenerator<ServerEvent> {
      for (; made < 1000; made += 1) {
        yield await Promise.resolve({ event: 'count', data: 'x'.repeat(10_000) });
      }
    }
    const { body } = eventStream(many());
    // Nobody reads: what is made by then fills the buffer, and no more.
    while (body.readableLength < body.readableHighWaterMark) await new Promise(setImmediate);
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    assert.ok(made < 10, `${made} were made`);
    assert.ok((await text(body)).length > 10_000_000);
    assert.equal(made, 1000);
  });

  it('ends the events when its reader leaves while it waits for the next', async () => {
    let left = false;
    const silent: AsyncIterableIterator<ServerEvent> = {
      [Symbol.asyncIterator]: () => silent,
      next: () => new Promise(() => undefined),
      return() {
        left = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    };
    const { body } = eventStream(silent);
    body.destroy();
    await new Promise(setImmediate);
    assert.equal(left, true);
  });
});
