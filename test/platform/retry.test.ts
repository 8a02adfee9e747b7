import assert from 'node:assert/strict';
import { retry, retryDelay } from '../../src/platform/retry.js';

const temporary = new Error('busy');
const permanent = new Error('refused');
const delays = { firstMs: 1000, longestMs: 5000 };

describe('A retry', () => {
  let calls = 0;
  let pauses: number[] = [];
  beforeEach(() => {
    [calls, pauses] = [0, []];
  });

  const run = (failures: readonly (Error | undefined)[], leastMs = 0, signal?: AbortSignal) =>
    retry(
      () => {
        const failure = failures[calls++];
        return failure === undefined ? Promise.resolve('done') : Promise.reject(failure);
      },
      {
        ...delays,
        attempts: 3,
        retryAfterMs: (error) => (error === temporary ? leastMs : undefined),
        pause: (ms) => Promise.resolve(void pauses.push(ms)),
        signal,
      },
    );

  it('doubles its pauses up to a maximum, and varies each by up to a quarter', () => {
    for (const [failures, mean] of [
      [1, 1000],
      [2, 2000],
      [3, 4000],
      [4, 5000],
      [60, 5000],
    ]) {
      const all = Array.from({ length: 200 }, () => retryDelay(failures ?? 0, delays));
      assert.ok(all.every((ms) => Math.abs(ms / (mean ?? 0) - 1) <= 0.25));
      assert.ok(new Set(all).size > 1, 'callers that failed together would come back together');
    }
  });

  it('repeats work only after a temporary failure', async () => {
    assert.equal(await run([temporary, temporary]), 'done');
    assert.deepEqual([calls, pauses.length], [3, 2]);
    calls = 0;
    await assert.rejects(run([permanent]), permanent);
    assert.equal(calls, 1);
  });

  it('gives up with the last failure after its attempts', async () => {
    await assert.rejects(run([temporary, temporary, temporary]), temporary);
    assert.deepEqual([calls, pauses.length], [3, 2]);
  });

  it('waits at least as long as the failure asks for', async () => {
    await run([temporary], 60_000);
    assert.deepEqual(pauses, [60_000]);
  });

  it('ends with the reason of its signal', async () => {
    await assert.rejects(run([temporary], 0, AbortSignal.abort(permanent)), permanent);
    assert.equal(calls, 1);
  });
});
