import type { Knex } from 'knex';

/** Lists of entries by title read a page of them instead of sorting all. */
export async function sortByTitle(trx: Knex): Promise<void> {
  await trx.schema.alterTable('knowledge_entries', (table) => {
    table.index(['organization_id', 'title']);
  });
}
