import type { Knex } from 'knex';

/** Sign-ins at which the provider had to ask again, and the token that names a person to it at sign-out. */
export async function proveSignIns(trx: Knex): Promise<void> {
  await trx.schema.alterTable('provider_sign_ins', (table) => {
    table.boolean('is_fresh').notNullable().defaultTo(false);
    table.text('id_token');
  });
  await trx.schema.alterTable('refresh_tokens', (table) => {
    // The token of the first sign-in of a provider session, until the session ends.
    table.text('id_token');
  });
  await trx.raw(
    'create index refresh_tokens_id_token on refresh_tokens (expires_at) where id_token is not null',
  );
}
