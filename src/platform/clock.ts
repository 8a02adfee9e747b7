/** The time as the product sees it: replaced in tests, so that expiry and leases need no waiting. */
export interface Clock {
  now(): Date;
  /** Milliseconds since some moment, by a clock that nobody sets: what is counted in memory goes by it. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => new Date(), elapsed: () => performance.now() };

/** ISO 8601 in UTC with milliseconds, the form of every time that is stored or sent. */
export function timestamp(clock: Clock, offsetMs = 0): string {
  return new Date(clock.now().getTime() + offsetMs).toISOString();
}
