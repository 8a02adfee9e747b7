import type { Knex } from 'knex';
import { times } from './columns.js';

/** Facts about models learned in use, so that a new process need not learn them again. */
export async function rememberModels(trx: Knex): Promise<void> {
  await trx.schema.createTable('model_facts', (table) => {
    table.string('model', 200).primary();
    table.float('characters_per_token').notNullable();
    table.integer('samples').notNullable();
    times(table, 'updated_at');
  });
}
