import type { Knex } from 'knex';

/**
 * Lists of entries in one language read a page of them in each order, also where few entries have the language. The id
 * and the status stand behind the time, so that the list and its count by status read the index alone.
 */
export async function sortByLanguage(trx: Knex): Promise<void> {
  await trx.schema.alterTable('knowledge_entries', (table) => {
    table.index(['organization_id', 'language', 'updated_at', 'id', 'status']);
    table.index(['organization_id', 'language', 'title']);
    table.index(['organization_id', 'language', 'created_at']);
  });
}
