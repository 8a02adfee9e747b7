import { z } from 'zod';

/** `page` and `limit` of every list, as query strings write them. */
export const pagingQuery = {
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20),
};

/** The one shape of every list. */
export function listOf<S extends z.ZodType>(item: S) {
  return z.object({
    data: z.array(item),
    pagination: z.object({ total: z.number(), page: z.number(), limit: z.number() }),
  });
}
