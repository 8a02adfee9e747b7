import type { Knex } from 'knex';

/** How far a generation's vectors can be trusted, by language, and how many passages there were when that was estimated. */
export async function trustVectors(trx: Knex): Promise<void> {
  await trx.schema.alterTable('embedding_models', (table) => {
    table.text('trust');
    table.integer('trust_passages');
  });
}
