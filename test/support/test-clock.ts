import type { Clock } from '../../src/platform/clock.js';

/** A clock that stands still until it is told to go on. */
export interface TestClock extends Clock {
  /** Less than nothing sets the machine's clock back: no time has passed by it. */
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
