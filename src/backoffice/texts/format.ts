import { LRUCache } from 'lru-cache';

/** Writes times and numbers in the language and time zone of a person. */
export interface Format {
  /** Undefined: the server's. */
  timeZone: string | undefined;
  number(value: number): string;
  /** With two digits behind the sign. */
  decimal(value: number): string;
  /** A share from 0 to 1 as a percentage. */
  share(value: number): string;
  /** A time as day, hour and minute. `iso` is UTC. */
  time(iso: string): string;
  /** A day of the calendar, `YYYY-MM-DD`, in short. */
  day(day: string): string;
  /** Some milliseconds as minutes, hours or days. */
  duration(ms: number): string;
  /** Bytes as MB or GB. */
  bytes(value: number): string;
  /** Some milliseconds as seconds with one digit behind the sign. */
  seconds(ms: number): string;
  /** Some milliseconds as seconds with two digits. */
  took(ms: number): string;
  /** A share as a percentage, with its sign. */
  change(value: number): string;
  /** With its sign. */
  signed(value: number): string;
  /** Hour and minute. */
  clock(iso: string): string;
  /** The time with its zone, for a title. */
  exactTime(iso: string): string;
  /** "3 hours ago" within a day of `now`, else the time. */
  timeAgo(iso: string, now: Date): string;
}

/** Making the formatters takes longer than a page. */
const formats = new LRUCache<string, Format>({ max: 100 });

export function formatOf(language: string, timeZone: string | null): Format {
  const key = `${language} ${timeZone ?? ''}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = makeFormat(language, timeZone ?? undefined);
  formats.set(key, made);
  return made;
}

function makeFormat(language: string, timeZone: string | undefined): Format {
  const zone = timeZone === undefined ? {} : { timeZone };
  const numbers = new Intl.NumberFormat(language);
  const decimals = new Intl.NumberFormat(language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const tenths = new Intl.NumberFormat(language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const digits = new Intl.NumberFormat(language, { maximumSignificantDigits: 2 });
  const signed = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' });
  const changes = new Intl.NumberFormat(language, {
    style: 'percent',
    signDisplay: 'exceptZero',
  });
  const shares = new Intl.NumberFormat(language, { style: 'percent' });
  const times = new Intl.DateTimeFormat(language, {
    ...zone,
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const clocks = new Intl.DateTimeFormat(language, { ...zone, timeStyle: 'short' });
  const exact = new Intl.DateTimeFormat(language, {
    ...zone,
    dateStyle: 'full',
    timeStyle: 'long',
  });
  // A day of the calendar has no zone.
  const days = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
  });
  const lengths = (['minute', 'hour', 'day'] as const).map(
    (unit) =>
      new Intl.NumberFormat(language, {
        style: 'unit',
        unit,
        unitDisplay: 'long',
        maximumFractionDigits: 1,
      }),
  );
  const [megabytes, gigabytes] = (['megabyte', 'gigabyte'] as const).map(
    (unit) => new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }),
  );
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const time = (iso: string) => times.format(new Date(iso));
  return {
    timeZone,
    number: (value) => numbers.format(value),
    decimal: (value) => decimals.format(value),
    share: (value) => shares.format(value),
    time,
    day: (day) => days.format(new Date(`${day}T00:00:00.000Z`)),
    duration(ms) {
      const minutes = ms / 60_000;
      const [unit, value] =
        minutes < 60 ? [0, minutes] : minutes < 48 * 60 ? [1, minutes / 60] : [2, minutes / 1440];
      return lengths[unit]?.format(value) ?? '';
    },
    bytes(value) {
      const inMegabytes = value / 1024 ** 2;
      const text =
        inMegabytes < 1024
          ? megabytes?.format(Math.max(0.1, inMegabytes))
          : gigabytes?.format(inMegabytes / 1024);
      return text ?? '';
    },
    seconds: (ms) => `${tenths.format(ms / 1000)}\u00a0s`,
    took: (ms) => `${digits.format(ms / 1000)}\u00a0s`,
    change: (value) => changes.format(value),
    signed: (value) => signed.format(value),
    clock: (iso) => clocks.format(new Date(iso)),
    exactTime: (iso) => exact.format(new Date(iso)),
    timeAgo(iso, now) {
      const minutes = Math.round((Date.parse(iso) - now.getTime()) / 60_000);
      if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
      if (Math.abs(minutes) < 24 * 60) return relative.format(Math.round(minutes / 60), 'hour');
      return time(iso);
    },
  };
}
