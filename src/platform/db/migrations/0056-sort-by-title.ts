import type { Knex } from 'knex';

/** Lists of entries by title or creation read a page of them instead of sorting all. Imported entries keep their dates. */
export async function sortByTitle(trx: Knex): Promise<void> {
  await trx.schema.alterTable('knowledge_entries', (table) => {
    table.index(['organization_id', 'title']);
    table.index(['organization_id', 'created_at']);
  });
}
