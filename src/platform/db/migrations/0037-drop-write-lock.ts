import type { Knex } from 'knex';

/** The table that the first process made of a new file: turning WAL on makes one whole by itself. */
export async function dropWriteLock(trx: Knex): Promise<void> {
  await trx.raw('drop table if exists write_lock');
}
