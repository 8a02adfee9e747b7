import assert from 'node:assert/strict';
import { retry, retryDelay } from '../../src/platform/retry.js';

const passing = new Error('busy');
const lasting = new Error('refused');
const delays = { firstMs: 1000, longestMs: 5000 };

describe('Trying again', () => {
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
        retryAfterMs: (error) => (error === passing ? leastMs : undefined),
        pause: (ms) => Promise.resolve(void pauses.push(ms)),
        signal,
      },
    );

  it('doubles the pauses up to the longest, each within a quarter of its mean', () => {
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

  it('repeats what may pass, and nothing else', async () => {
    assert.equal(await run([passing, passing]), 'done');
    assert.deepEqual([calls, pauses.length], [3, 2]);
    calls = 0;
    await assert.rejects(run([lasting]), lasting);
    assert.equal(calls, 1);
  });

  it('gives up with the last failure', async () => {
    await assert.rejects(run([passing, passing, passing]), passing);
    assert.deepEqual([calls, pauses.length], [3, 2]);
  });

  it('waits at least for as long as the failure asks', async () => {
    await run([passing], 60_000);
    assert.deepEqual(pauses, [60_000]);
  });

  it('ends with the reason of its signal', async () => {
    await assert.rejects(run([passing], 0, AbortSignal.abort(lasting)), lasting);
    assert.equal(calls, 1);
  });
});
