import type { Knex } from 'knex';

/**
 * Records the kind of a batch's file and where a page comes from, and for entries the address and the anchor of their
 * place. Files read before are PDFs.
 */
export async function recordKinds(trx: Knex): Promise<void> {
  await trx.schema.alterTable('ingestion_batches', (table) => {
    table.text('kind').notNullable().defaultTo('pdf');
    table.text('source_url');
  });
  await trx.schema.alterTable('knowledge_entries', (table) => {
    table.text('source_url');
    table.text('source_anchor');
  });
}
