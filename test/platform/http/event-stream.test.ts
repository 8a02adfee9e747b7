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
});
