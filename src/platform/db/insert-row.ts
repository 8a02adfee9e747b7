import type { Knex } from 'knex';

/** Inserts one row and returns its new integer id. */
export async function insertRow(
  db: Knex,
  table: string,
  row: Record<string, unknown>,
): Promise<number> {
  const [inserted]: { id: number }[] = await db(table).insert(row).returning('id');
  if (inserted === undefined) throw new Error(`inserting into ${table} answered no id`);
  return inserted.id;
}
