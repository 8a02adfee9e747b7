import type { Knex } from 'knex';

/** The reliability of a generation's vectors by language, and the number of passages when it was estimated. */
export async function trustVectors(trx: Knex): Promise<void> {
  await trx.schema.alterTable('embedding_models', (table) => {
    table.text('trust');
    table.integer('trust_passages');
  });
}
