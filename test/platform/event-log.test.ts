import assert from 'node:assert/strict';
import { createEventLog } from '../../src/platform/event-log.js';

async function collect(events: AsyncIterable<{ id: number; event: string }>): Promise<string> {
  const seen: string[] = [];
  for await (const { id, event } of events) seen.push(`${id}${event}`);
  return seen.join(' ');
}

describe('An event log', () => {
  it('gives each reader all earlier and later events', async () => {
    const log = createEventLog<string>();
    log.append('a');
    const early = collect(log.read());
    log.append('b');
    const late = collect(log.read());
    log.append('c');
    log.end();
    const after = collect(log.read());
    assert.deepEqual(await Promise.all([early, late, after]), Array(3).fill('1a 2b 3c'));
  });

  it('continues after the event that a reader names, and starts from the beginning for an unknown one', async () => {
    const log = createEventLog<string>();
    ['a', 'b', 'c'].forEach((event) => log.append(event));
    log.end();
    const read = (after: number) => collect(log.read(after));
    assert.equal(await read(2), '3c');
    assert.equal(await read(3), '');
    for (const after of [0, -1, 4, 1.5, Number.NaN]) assert.equal(await read(after), '1a 2b 3c');
  });

  it('lets a waiting reader leave, and reports how many readers remain', async () => {
    const counts: number[] = [];
    const log = createEventLog<string>((readers) => counts.push(readers));
    const [one, two] = [log.read(), log.read()];
    const waiting = [one.next(), two.next()];
    await one.return?.();
    assert.deepEqual(await waiting[0], { done: true, value: undefined });
    log.append('a');
    assert.deepEqual((await waiting[1])?.value, { id: 1, event: 'a' });
    log.end();
    assert.equal((await two.next()).done, true);
    await two.return?.();
    assert.deepEqual(counts, [1, 2, 1, 0]);
  });
});
