import type { Knex } from 'knex';

/**
 * Records the kind of a batch's file and where a page comes from, and for entries the address and the anchor of their
 * place. Files read before are PDFs. Documents without pages keep their sections as they were read: a reviewer sees them
 * beside the drafts.
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
  await trx.schema.createTable('ingestion_sections', (table) => {
    table
      .string('batch_id', 36)
      .notNullable()
      .references('id')
      .inTable('ingestion_batches')
      .onDelete('CASCADE');
    table.integer('position').notNullable();
    table.text('title').notNullable();
    table.text('content').notNullable();
    table.text('language').notNullable();
    table.text('anchor');
    table.primary(['batch_id', 'position']);
  });
}
