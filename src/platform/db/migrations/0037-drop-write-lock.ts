import type { Knex } from 'knex';

/** Drops the table that the first process used to initialize a file. Turning on WAL initializes it by itself. */
export async function dropWriteLock(trx: Knex): Promise<void> {
  await trx.raw('drop table if exists write_lock');
}
