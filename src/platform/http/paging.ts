import { z } from 'zod';
import type { Page, Paged } from '../db/select-page.js';

/** A positive number, as query strings and paths write it. */
export const numberText = z.coerce.number().int().min(1);

/** The number of a thing in a path. */
export const numberOf = (what: string) =>
  z.object({ id: numberText.describe(`The number of the ${what}.`) });

/** Yes or no, as query strings write it. */
export const flagText = z.enum(['true', 'false']).transform((text) => text === 'true');

/** `page` and `limit` of every list, as query strings write them. */
export const pagingQuery = {
  // Bounded, so that no offset leaves the integers that a database takes.
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

/** The one shape of every list. */
export function listOf<S extends z.ZodType>(item: S) {
  return z.object({
    data: z.array(item),
    pagination,
  });
}

/** The reply of a list: its items as they are shown, and where in the whole they stand. */
export function listReply<T>(
  { items, total }: Paged<T>,
  { page, limit }: Page,
  present: (item: T) => unknown,
) {
  return { body: { data: items.map(present), pagination: { total, page, limit } } };
}
