import { z } from 'zod';
import type { Page, Paged } from '../db/select-page.js';

/** A positive number in a query string or path. */
export const numberText = z.coerce.number().int().min(1);

/** The number of a record in a path. */
export const numberOf = (what: string) =>
  z.object({ id: numberText.describe(`The number of the ${what}.`) });

/** `true` or `false` in a query string. */
export const flagText = z.enum(['true', 'false']).transform((text) => text === 'true');

/** The `page` and `limit` parameters of every list. */
export const pagingQuery = {
  // Bounded, so that no offset exceeds the integers of a database.
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).describe('Which page, from 1.'),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('How many on each page.'),
};

const pagination = z
  .object({
    total: z.number().describe('How many there are on all pages.'),
    page: z.number(),
    limit: z.number(),
  })
  .meta({ id: 'Pagination' });

export function listOf<S extends z.ZodType>(item: S) {
  return z.object({
    data: z.array(item),
    pagination,
  });
}

/** The reply of a list: its items in wire format, and the page's position in the list. */
export function listReply<T>(
  { items, total }: Paged<T>,
  { page, limit }: Page,
  present: (item: T) => unknown,
) {
  return { body: { data: items.map(present), pagination: { total, page, limit } } };
}
