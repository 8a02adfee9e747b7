import type { Knex } from 'knex';

/** A part of a list: `page` from 1, `limit` items each. */
export interface Page {
  page: number;
  limit: number;
}

/** The page that holds a whole list which is known to be short. */
export const allOf: Page = { page: 1, limit: 1_000_000 };

/** A page of a list, and how many items the whole has. */
export interface Paged<T> {
  items: T[];
  total: number;
}

export interface Order {
  column: string;
  order?: 'asc' | 'desc';
}

/** The rows of one page of a query, in a total order (name a unique column last), and the count of all. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the rows of a built query are not known to knex
export async function selectPage<Row, T>(
  query: Knex.QueryBuilder,
  order: Order[],
  { page, limit }: Page,
  toItem: (row: Row) => T,
): Promise<Paged<T>> {
  const counted = (await query.clone().count({ count: '*' }).first()) as { count: number };
  const offset = (page - 1) * limit;
  const sliced = query.clone().orderBy(order).offset(offset).limit(limit);
  const rows = (await sliced.select('*')) as Row[];
  return { items: rows.map(toItem), total: counted.count };
}
