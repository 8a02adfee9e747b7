import type { Knex } from 'knex';
import { isSqlite } from './columns.js';

/** Where servers of one database count requests together. One process counts in its memory, and leaves it empty. */
export async function shareRequestLimits(trx: Knex): Promise<void> {
  await trx.schema.createTable('request_limits', (table) => {
    // SHA-256 of a policy and its caller, or the name of a server.
    table.string('counted', 64).primary();
    table.double('interval_ms').notNullable();
    // Of the requests that were last asked for.
    table.integer('allowed').notNullable();
    // In milliseconds since 1970, and exact parts of them.
    table.decimal('full_at', null).notNullable();
  });
  // A crash may empty it: a minute's requests are no loss. Rows have room to change in their place.
  if (!isSqlite(trx)) {
    await trx.raw('alter table request_limits set unlogged');
    await trx.raw('alter table request_limits set (fillfactor = 50)');
  }
}
