import type { Knex } from 'knex';
import { times } from './columns.js';

/** Rejected drafts, so that a rejection can be undone, and the order in which lists of batches go on. */
export async function keepRejectedDrafts(trx: Knex): Promise<void> {
  await trx.schema.createTable('ingestion_rejected', (table) => {
    // The number of the draft until it was rejected.
    table.integer('entry_id').primary();
    table
      .string('batch_id', 36)
      .notNullable()
      .references('id')
      .inTable('ingestion_batches')
      .onDelete('CASCADE')
      .index();
    table.text('draft').notNullable();
    times(table, 'rejected_at');
  });
  await trx.schema.alterTable('ingestion_batches', (table) => {
    table.index(['organization_id', 'created_at', 'id']);
  });
}
