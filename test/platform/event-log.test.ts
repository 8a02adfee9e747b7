import assert from 'node:assert/strict';
import { createEventLog } from '../../src/platform/event-log.js';

async function collect(events: AsyncIterable<{ id: number; event: string }>): Promise<string> {
  const seen: string[] = [];
  for await (const { id, event } of events) seen.push(`${id}${event}`);
  return seen.join(' ');
}

describe('A log of events', () => {
  it('gives each reader all events, those of before and those to come', async () => {
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

  it('goes on behind the event that a reader names, and begins anew where it names none', async () => {
    const log = createEventLog<string>();
    ['a', 'b', 'c'].forEach((event) => log.append(event));
    log.end();
    const read = (after: number) => collect(log.read(after));
    assert.equal(await read(2), '3c');
    assert.equal(await read(3), '');
    for (const after of [0, -1, 4, 1.5, Number.NaN]) assert.equal(await read(after), '1a 2b 3c');
  });

  it('lets a reader leave that waits, and tells how many are left', async () => {
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
