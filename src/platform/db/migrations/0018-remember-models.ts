import type { Knex } from 'knex';
import { times } from './columns.js';

/** What was learned of models by using them, so that each new process need not learn it again. */
export async function rememberModels(trx: Knex): Promise<void> {
  await trx.schema.createTable('model_facts', (table) => {
    table.string('model', 200).primary();
    table.float('characters_per_token').notNullable();
    table.integer('samples').notNullable();
    times(table, 'updated_at');
  });
}
