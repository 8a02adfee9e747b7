import type { Knex } from 'knex';
import type { Database } from './database.js';

/** A page of a list: `page` counts from 1, with `limit` items each. */
export interface Page {
  page: number;
  limit: number;
}

/** A page that holds a whole list. Use it only for lists that are known to be short. */
export const allOf: Page = { page: 1, limit: 1_000_000 };

/** One page of a list, and the total number of items. */
export interface Paged<T> {
  items: T[];
  total: number;
}

/** A page of a list that goes on by key: after the row with the key `after`, or from the first row. */
export interface KeyPage {
  after?: string | undefined;
  limit: number;
}

/** Such a page. `next` is the key to go on with; undefined on the last page. */
export interface Keyed<T> {
  items: T[];
  next: string | undefined;
}

/** The key of a row in the order of a time, and of an id where times are equal. */
export function keyOf(time: string, id: string): string {
  return `${time}_${id}`;
}

/** The time and the id in a key. Undefined for what is no key. */
export function keyParts(key: string | undefined): [time: string, id: string] | undefined {
  const [time, id, ...more] = key?.split('_') ?? [];
  return time === undefined || id === undefined || more.length > 0 ? undefined : [time, id];
}

export interface Order {
  column: string;
  order?: 'asc' | 'desc';
}

/**
 * Selects one page of a query, and the total count. The order must be total: name a unique column last. A subquery of
 * `exists` needs "limit 1": without it, the offset of SQLite 3.52 counts a row once for each match.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the rows of a built query are not known to knex
export async function selectPage<Row, T>(
  query: Knex.QueryBuilder,
  order: Order[],
  { page, limit }: Page,
  toItem: (row: Row) => T,
): Promise<Paged<T>> {
  const total = await countOf(query);
  const offset = (page - 1) * limit;
  const sliced = query.clone().orderBy(order).offset(offset).limit(limit);
  const rows = (await sliced.select('*')) as Row[];
  return { items: rows.map(toItem), total };
}

/** The number of rows of a query. */
export async function countOf(query: Knex.QueryBuilder): Promise<number> {
  const row = (await query.clone().count({ count: '*' }).first()) as { count: number };
  return row.count;
}

/** The number of rows of a query, but at most `most`: counting all of many takes longer than listing some. */
export async function countUpTo(
  { db }: { db: Pick<Database, 'read'> },
  query: Knex.QueryBuilder,
  most: number,
): Promise<number> {
  const some = query.clone().select(db.read.raw('1 as one')).limit(most).as('some');
  return countOf(db.read.from(some));
}
