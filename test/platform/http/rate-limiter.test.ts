import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createRateLimiter, minuteMs } from '../../../src/platform/http/rate-limiter.js';
import { createTestClock } from '../../support/test-clock.js';

describe('A rate limiter', () => {
  it('allows the quota at once, and reports what remains and when the next request is allowed', () => {
    const clock = createTestClock();
    const limiter = createRateLimiter(clock, 3);
    const remaining = [1, 2, 3].map(() => limiter.take('a').remaining);
    assert.deepEqual(remaining, [2, 1, 0]);
    assert.deepEqual(limiter.take('a'), {
      allowed: false,
      remaining: 0,
      resetSeconds: 60,
      retryAfterSeconds: 20,
    });
    clock.advance(19_999);
    assert.equal(limiter.take('a').allowed, false);
    clock.advance(1);
    assert.equal(limiter.take('a').allowed, true);
    assert.equal(limiter.take('a').allowed, false);
  });

  it('foresees its next decision without counting a request', () => {
    const limiter = createRateLimiter(createTestClock(), 2);
    for (let time = 0; time < 5; time++) assert.equal(limiter.foresee('a').remaining, 1);
    limiter.take('a');
    assert.equal(limiter.foresee('a').allowed, true);
    limiter.take('a');
    assert.deepEqual(limiter.foresee('a'), limiter.take('a'));
    assert.equal(limiter.foresee('a').allowed, false);
  });

  it('counts each key separately, and only for a minute', () => {
    const clock = createTestClock();
    const limiter = createRateLimiter(clock, 1);
    assert.equal(limiter.take('a').allowed, true);
    assert.equal(limiter.take('b').allowed, true);
    assert.equal(limiter.take('a').allowed, false);
    clock.advance(minuteMs);
    assert.deepEqual(limiter.take('a'), {
      allowed: true,
      remaining: 0,
      resetSeconds: 60,
      retryAfterSeconds: 0,
    });
  });

  it('neither allows more nor locks anybody out if the clock is set back', () => {
    const clock = createTestClock();
    const limiter = createRateLimiter(clock, 2);
    for (let time = 0; time < 3; time++) limiter.take('a');
    for (const ms of [-1, -86_400_000]) {
      clock.advance(ms);
      assert.equal(limiter.take('a').retryAfterSeconds, 30);
    }
    clock.advance(minuteMs / 2);
    assert.equal(limiter.take('a').allowed, true);
    assert.equal(limiter.take('a').allowed, false);
  });

  it('allows at most twice the quota in any minute, and a request at the announced time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 300 }),
        (perMinute, pauses) => {
          const clock = createTestClock();
          const limiter = createRateLimiter(clock, perMinute);
          const allowedAt: number[] = [];
          for (const pause of pauses) {
            clock.advance(pause);
            const verdict = limiter.take('a');
            assert.ok(verdict.remaining >= 0 && verdict.remaining < perMinute);
            if (verdict.allowed) allowedAt.push(clock.now().getTime());
            else {
              clock.advance(verdict.retryAfterSeconds * 1000);
              assert.equal(limiter.take('a').allowed, true);
              allowedAt.push(clock.now().getTime());
            }
          }
          for (const [index, end] of allowedAt.entries()) {
            const within = allowedAt.slice(0, index + 1).filter((at) => at > end - minuteMs);
            assert.ok(within.length <= 2 * perMinute);
          }
        },
      ),
    );
  });

  it('allows the whole quota at once, for any quota', () => {
    for (const perMinute of [1, 7, 13, 60, 601, 1200, 999_983]) {
      const limiter = createRateLimiter(createTestClock(), perMinute);
      let allowed = 0;
      while (allowed < Math.min(perMinute, 2000) && limiter.take('a').allowed) allowed += 1;
      assert.equal(allowed, Math.min(perMinute, 2000));
      if (perMinute < 2000) assert.equal(limiter.take('a').allowed, false);
    }
  });

  it('remembers a limited number of keys', () => {
    const clock = createTestClock();
    const limiter = createRateLimiter(clock, 1);
    for (let index = 0; index < 250_000; index++) limiter.take(`key ${index}`);
    assert.equal(limiter.take('key 249999').allowed, false, 'the latest are remembered');
    assert.equal(limiter.take('key 0').allowed, true, 'the first have made room');
  });
});
