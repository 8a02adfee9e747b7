import type { Knex } from 'knex';
import { times } from './columns.js';

/** The places from which accounts were signed in to, so that password guessing does not lock out the owners. */
export async function rememberSignIns(trx: Knex): Promise<void> {
  await trx.schema.createTable('sign_in_places', (table) => {
    // SHA-256 of network and account. The value is only compared.
    table.string('place_hash', 64).primary();
    times(table, 'seen_at');
    table.index(['seen_at']);
  });
}
