import type { Knex } from 'knex';

/** How often the vectors of a generation were mended: servers that keep their codes read them anew. */
export async function countMends(trx: Knex): Promise<void> {
  await trx.schema.alterTable('embedding_models', (table) => {
    table.integer('mended').notNullable().defaultTo(0);
  });
}
