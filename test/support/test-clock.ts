import type { Clock } from '../../src/platform/clock.js';

/** A clock that stands still until it is told to go on. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export function createTestClock(start = '2026-03-01T09:00:00.000Z'): TestClock {
  let time = new Date(start).getTime();
  return {
    now: () => new Date(time),
    advance(ms) {
      time += ms;
    },
  };
}
