import type { Knex } from 'knex';
import { ownedBy, times } from './columns.js';

/** Batches, which are the jobs themselves, and the uploaded bytes in pieces. */
export async function createIngestion(trx: Knex): Promise<void> {
  await trx.schema.createTable('ingestion_batches', (table) => {
    table.string('id', 36).primary();
    ownedBy(table, 'organization_id', 'organizations');
    ownedBy(table, 'app_id', 'apps');
    table.string('domain', 255);
    table.text('file_name').notNullable();
    table.string('file_sha256', 64).notNullable();
    table.integer('file_size').notNullable();
    table.string('visibility', 20);
    table.string('status', 20).notNullable();
    table.integer('total_pages').notNullable().defaultTo(0);
    table.integer('processed_pages').notNullable().defaultTo(0);
    table.integer('total_chunks').notNullable().defaultTo(0);
    table.integer('processed_chunks').notNullable().defaultTo(0);
    table.integer('dropped_entries').notNullable().defaultTo(0);
    table.text('pages_without_text').notNullable().defaultTo('[]');
    // Identifies the chunks that processed_chunks counts. When the chunks change, the count restarts.
    table.string('chunks_sha256', 64);
    table.string('error_code', 40);
    table.text('error_message');
    table.integer('error_page');
    table.integer('attempts').notNullable().defaultTo(0);
    // The lease: only the holder of the token may write. A new holder creates a new token.
    table.string('lease_token', 36);
    table.string('lease_expires_at', 24);
    table.string('not_before', 24);
    table.text('created_by').notNullable();
    times(table, 'created_at', 'updated_at');
    table.index(['status', 'lease_expires_at']);
    table.index(['app_id', 'file_sha256']);
  });
  await trx.schema.createTable('ingestion_uploads', (table) => {
    table
      .string('batch_id', 36)
      .notNullable()
      .references('id')
      .inTable('ingestion_batches')
      .onDelete('CASCADE');
    table.integer('piece').notNullable();
    table.binary('bytes').notNullable();
    table.primary(['batch_id', 'piece']);
  });
}
