import type { Knex } from 'knex';

/** The attempts to sign in, so that all servers count them together and a restart forgets none. */
export async function shareSignInAttempts(trx: Knex): Promise<void> {
  await trx.schema.createTable('sign_in_attempts', (table) => {
    // SHA-256 of account and network. The value is only compared.
    table.string('key_hash', 64).primary();
    // In milliseconds since 1970, and parts of them.
    table.double('full_at').notNullable().index();
  });
}
