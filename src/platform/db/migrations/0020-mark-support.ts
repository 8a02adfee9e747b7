import type { Knex } from 'knex';

/** Where in an answer its sentences stand that no cited passage bears out: JSON, a list of {from, to}. */
export async function markSupport(trx: Knex): Promise<void> {
  await trx.schema.alterTable('messages', (table) => {
    table.text('unsupported').notNullable().defaultTo('[]');
  });
}
