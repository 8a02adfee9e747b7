import type { Knex } from 'knex';

/** Finds the entry that a link leads to: by the address of its page, and by each heading that its section has. */
export async function linkDocuments(trx: Knex): Promise<void> {
  await trx.schema.alterTable('knowledge_entries', (table) => {
    table.text('source_anchors');
    table.index(['organization_id', 'source_url']);
  });
}
