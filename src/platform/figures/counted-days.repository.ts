import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';

type Store = Pick<App, 'db' | 'clock'>;

interface CountedDayRow {
  organization_id: number;
  first: string;
  next: string;
  until: string | null;
  counts: string;
}

/** A day by its times. */
interface Times {
  first: string;
  next: string;
}

/**
 * The counts of the days that lie within some times, as JSON. Triggers delete a day when anything that it counts
 * changes.
 */
export async function findCountedDays(
  app: Store,
  organizationId: number,
  { first, next }: Times,
): Promise<(Times & { counts: string })[]> {
  return app.db
    .read<CountedDayRow>('counted_days')
    .where({ organization_id: organizationId })
    .where('next', '>', first)
    .where('next', '<=', next)
    .where((valid) => {
      void valid.whereNull('until').orWhere('until', '>', timestamp(app.clock));
    })
    .select('first', 'next', 'counts');
}

/** Stores the counts of a day, in the transaction that counted it: a change in between would be missed. */
export async function storeCountedDay(
  app: Store,
  organizationId: number,
  { first, next }: Times,
  counts: string,
  until: string | null,
): Promise<void> {
  await app.db
    .write('counted_days')
    .insert({
      organization_id: organizationId,
      first,
      next,
      until,
      counts,
    })
    .onConflict(['organization_id', 'next', 'first'])
    .merge();
}
