import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { eventStream, type ServerEvent } from '../../../src/platform/http/event-stream.js';

describe('An event stream', () => {
  async function* three(): AsyncGenerator<ServerEvent> {
    for (const data of [1, 2, 3]) {
      await Promise.resolve();
      yield { event: 'count', data };
    }
  }
  const events = [1, 2, 3].map((n) => `event: count\ndata: ${n}\n\n`).join('');

  it('begins at once, contains the events, and ends with the last event', async () => {
    assert.equal(await text(eventStream(three()).body), `: connected\n\n${events}`);
    const never = new AbortController();
    assert.equal(await text(eventStream(three(), never.signal).body), `: connected\n\n${events}`);
    never.abort();
  });

  it('ends with a comment when the server stops, and sends no later events', async () => {
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

  it('breaks off if the source of the events fails', async () => {
    async function* broken(): AsyncGenerator<ServerEvent> {
      yield* three();
      throw new Error('out of events');
    }
    await assert.rejects(text(eventStream(broken()).body), /out of events/);
  });

  it('contains the number of an event, so that a client can reconnect', async () => {
    async function* numbered(): AsyncGenerator<ServerEvent> {
      yield await Promise.resolve({ id: 7, event: 'count', data: 'x' });
    }
    const all = await text(eventStream(numbered()).body);
    assert.equal(all, ': connected\n\nid: 7\nevent: count\ndata: "x"\n\n');
  });

  it('requests events no faster than the client reads them', async () => {
    let made = 0;
    async function* many(): AsyncGenerator<ServerEvent> {
      for (; made < 1000; made += 1) {
        yield await Promise.resolve({ event: 'count', data: 'x'.repeat(10_000) });
      }
    }
    const { body } = eventStream(many());
    // Nobody reads, so only the buffer is filled.
    while (body.readableLength < body.readableHighWaterMark) await new Promise(setImmediate);
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    assert.ok(made < 10, `${made} were made`);
    assert.ok((await text(body)).length > 10_000_000);
    assert.equal(made, 1000);
  });

  it('ends its source if the client leaves while it waits for the next event', async () => {
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
