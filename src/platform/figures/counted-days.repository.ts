import type { Store } from '../app.js';
import { timestamp } from '../clock.js';

interface CountedDayRow {
  organization_id: number;
  figures: string;
  first: string;
  next: string;
  until: string | null;
  counts: string;
}

/** The times from `first` on and before `next`, ISO 8601 in UTC. */
export interface CountedTimes {
  first: string;
  next: string;
}

/** Whose figures, and of what. */
export interface Counted {
  organizationId: number;
  figures: string;
}

/**
 * The counts of the days, and of parts of them, that lie within some times, as JSON. Triggers delete them when anything
 * that they count changes.
 */
export async function findCountedDays(
  app: Store,
  { organizationId, figures }: Counted,
  { first, next }: CountedTimes,
): Promise<(CountedTimes & { counts: string })[]> {
  return app.db
    .read<CountedDayRow>('counted_days')
    .where({ organization_id: organizationId, figures })
    .where('next', '>', first)
    .where('next', '<=', next)
    .where((valid) => {
      void valid.whereNull('until').orWhere('until', '>', timestamp(app.clock));
    })
    .select('first', 'next', 'counts');
}

/**
 * Stores the counts of a day in place of those of its parts, in the transaction that counted it: a change in between
 * would be missed.
 */
export async function storeCountedDay(
  app: Store,
  { organizationId, figures }: Counted,
  { first, next }: CountedTimes,
  { counts, until }: { counts: string; until: string | null },
): Promise<void> {
  const own = { organization_id: organizationId, figures };
  await app.db
    .write<CountedDayRow>('counted_days')
    .where(own)
    .where('next', '>', first)
    .where('next', '<=', next)
    .where('first', '>=', first)
    .delete();
  await app.db.write('counted_days').insert({ ...own, first, next, until, counts });
}
