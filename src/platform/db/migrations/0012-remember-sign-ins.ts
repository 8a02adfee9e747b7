import type { Knex } from 'knex';
import { times } from './columns.js';

/** From where accounts were signed in to, so that whoever guesses their passwords does not keep their owners out. */
export async function rememberSignIns(trx: Knex): Promise<void> {
  await trx.schema.createTable('sign_in_places', (table) => {
    // SHA-256 of network and account: it is only ever compared.
    table.string('place_hash', 64).primary();
    times(table, 'seen_at');
    table.index(['seen_at']);
  });
}
