/** The product's time source. Tests replace it, so that expiry and leases need no waiting. */
export interface Clock {
  now(): Date;
  /** Monotonic milliseconds: unaffected by changes of the system clock. Used for counts in memory. */
  elapsed(): number;
}

/** In milliseconds: 24 hours, whatever a time zone makes of a date. */
export const dayMs = 86_400_000;

export const systemClock: Clock = { now: () => new Date(), elapsed: () => performance.now() };

/** ISO 8601 in UTC with milliseconds: the format of every stored or sent time. */
export function timestamp(clock: Clock, offsetMs = 0): string {
  return new Date(clock.now().getTime() + offsetMs).toISOString();
}
