import { z } from 'zod';
import { refusedField } from './errors.js';

/** Days in UTC as `YYYY-MM-DD`, including the last one. A missing end is unbounded. */
export interface DaySpan {
  from?: string | undefined;
  to?: string | undefined;
}

const day = z.iso.date();

/** The `from` and `to` parameters of lists. */
export const daySpanQuery = {
  from: day.optional().describe('The first day, YYYY-MM-DD, in UTC.'),
  to: day.optional().describe('The last day, YYYY-MM-DD, in UTC; all of it is included.'),
};

/** The first and last times of the days. Errors: `invalid_request` when the last day is before the first. */
export function timesOf({ from, to }: DaySpan): {
  first: string | undefined;
  last: string | undefined;
} {
  if (from !== undefined && to !== undefined && to < from) {
    const message = `is before from (${from}); give the earlier day as from`;
    throw refusedField('to', message);
  }
  return {
    first: from === undefined ? undefined : `${from}T00:00:00.000Z`,
    last: to === undefined ? undefined : `${to}T23:59:59.999Z`,
  };
}
