import { remembering } from './remember.js';

/** A day of a time zone: the times from `first` on and before `next`, ISO 8601 in UTC. */
export interface ZoneDay {
  /** `YYYY-MM-DD`. */
  day: string;
  first: string;
  next: string;
}

const minuteMs = 60_000;
/** No zone is further from UTC, in minutes, than this. */
const farthest = 15 * 60;

/** Making a formatter takes longer than a hundred uses. This English writes days as YYYY-MM-DD. */
const formatterOf = remembering((timeZone) => {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-CA', { timeZone, ...parts });
}, 50);

/** True for a name of the IANA database that this server knows, e.g. `Europe/Madrid`. */
export function isTimeZone(name: string): boolean {
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The server's own time zone. */
export function serverTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The day of a time in a zone, `YYYY-MM-DD`. */
export function dayIn(timeZone: string, time: Date | number): string {
  return formatterOf(timeZone).format(time);
}

/** The day some days after (or before) a day of the calendar. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/**
 * The days of a time zone between two days, both included. Each day begins where the previous one ends, even when the
 * clock changes. A day that the zone skipped is empty.
 */
export function daysIn(timeZone: string, from: string, to: string): ZoneDay[] {
  const days: ZoneDay[] = [];
  let first = startOf(timeZone, from);
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const next = startOf(timeZone, addDays(day, 1));
    days.push({ day, first, next });
    first = next;
  }
  return days;
}

/** The first minute at which the zone has reached a day. A change of the clock at midnight can make it 01:00. */
function startOf(timeZone: string, day: string): string {
  if (timeZone === 'UTC') return `${day}T00:00:00.000Z`;
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  let [before, reached] = [-farthest, farthest];
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (dayIn(timeZone, midnight + middle * minuteMs) >= day) reached = middle;
    else before = middle;
  }
  return new Date(midnight + reached * minuteMs).toISOString();
}
