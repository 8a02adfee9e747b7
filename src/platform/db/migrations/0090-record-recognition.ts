import type { Knex } from 'knex';

/** Records on which pages of a batch text recognition read the pictures, and how sure it was of each. */
export async function recordRecognition(trx: Knex): Promise<void> {
  await trx.schema.alterTable('ingestion_batches', (table) => {
    table.text('recognized_pages').notNullable().defaultTo('[]');
  });
}
