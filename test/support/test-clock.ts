import type { Clock } from '../../src/platform/clock.js';

/** A clock that moves only by `advance`. */
export interface TestClock extends Clock {
  /** A negative value sets the machine's clock back, without any elapsed time. */
  advance(ms: number): void;
}

export function createTestClock(start = '2026-03-01T09:00:00.000Z'): TestClock {
  let time = new Date(start).getTime();
  let elapsed = 0;
  return {
    now: () => new Date(time),
    elapsed: () => elapsed,
    advance(ms) {
      time += ms;
      elapsed += Math.max(0, ms);
    },
  };
}
