import type { Knex } from 'knex';

/**
 * Drops the table that the first process used to initialize a new file. Turning on WAL initializes the file by itself.
 */
export async function dropWriteLock(trx: Knex): Promise<void> {
  await trx.raw('drop table if exists write_lock');
}
