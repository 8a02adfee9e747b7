import type { App } from '../app.js';
import { timestamp } from '../clock.js';
import type { ZoneDay } from '../time-zone.js';
import { giveTurns } from '../workers/give-turns.js';
import {
  findCountedDays,
  storeCountedDay,
  type Counted,
  type CountedTimes,
} from './counted-days.repository.js';
import { ifWritable } from './if-writable.js';

/** One kind of figures. The triggers of migrations 0067 and 0084 must know every write that changes them. */
export interface Figures<T> {
  /** Tells the kept figures from others. */
  name: 'answers' | 'usage';
  /** Those of the parts of a day must add up to those of the day. */
  count(app: App, organizationId: number, times: CountedTimes): Promise<T>;
  /** When they must be counted again although nothing was written. Null: never. */
  until(counted: T): string | null;
}

const hourMs = 3_600_000;

/**
 * The counts of each day. A day that is over is counted once, and kept until something that it counts changes. Today
 * comes in hours: those that are over are kept in the same way, and the current one is counted each time.
 */
export async function* countDays<T>(
  app: App,
  organizationId: number,
  days: readonly ZoneDay[],
  figures: Figures<T>,
): AsyncGenerator<{ day: ZoneDay; counted: T }> {
  const whose: Counted = { organizationId, figures: figures.name };
  const [first, next] = [days[0]?.first ?? '', days.at(-1)?.next ?? ''];
  const kept = new Map<string, string>();
  for (const one of await findCountedDays(app, whose, { first, next })) {
    kept.set(keyOf(one), one.counts);
  }
  const now = timestamp(app.clock);
  const count = (app: App, times: CountedTimes) => figures.count(app, organizationId, times);
  const keep = (times: CountedTimes) =>
    ifWritable(app, async (app) => {
      const counted = await count(app, times);
      const until = figures.until(counted);
      await storeCountedDay(app, whose, times, { counts: JSON.stringify(counted), until });
      return counted;
    });
  const giveTurn = giveTurns();
  for (const day of days) {
    for (const times of partsOf(day, now)) {
      const counts = kept.get(keyOf(times));
      const known =
        counts !== undefined
          ? (JSON.parse(counts) as T)
          : times.next > now
            ? undefined
            : await keep(times);
      yield { day, counted: known ?? (await count(app, times)) };
      await giveTurn();
    }
  }
}

const keyOf = ({ first, next }: CountedTimes) => `${first} ${next}`;

/** The whole day when it is over; the hours that have begun of today; none of a later day. */
function partsOf(day: ZoneDay, now: string): CountedTimes[] {
  if (day.first === day.next || day.first > now) return [];
  if (day.next <= now) return [day];
  const parts: CountedTimes[] = [];
  for (let first = day.first; first <= now;) {
    const next = new Date(Date.parse(first) + hourMs).toISOString();
    parts.push({ first, next: next < day.next ? next : day.next });
    first = next;
  }
  return parts;
}
