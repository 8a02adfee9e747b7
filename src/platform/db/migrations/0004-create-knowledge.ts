import type { Knex } from 'knex';
import { ownedBy, refersTo, times } from './columns.js';

/** Knowledge entries, their previous versions, and the passages that retrieval searches. */
export function createKnowledge(createPassageIndex: (trx: Knex) => Promise<void>) {
  return async (trx: Knex): Promise<void> => {
    await trx.schema.createTable('knowledge_entries', (table) => {
      table.increments('id');
      table.string('uuid', 36).notNullable().unique();
      ownedBy(table, 'organization_id', 'organizations');
      // Null while no app has registered the entry's domain. Such an entry waits and is invisible.
      refersTo(table, 'app_id', 'apps');
      refersTo(table, 'view_id', 'views');
      table.string('domain', 255);
      table.text('url_pattern');
      table.string('scope', 20).notNullable();
      table.text('title').notNullable();
      table.text('content').notNullable();
      table.string('language', 10).notNullable();
      table.string('status', 20).notNullable();
      table.string('visibility', 20).notNullable();
      table.boolean('visibility_defaulted').notNullable();
      table.integer('version').notNullable().defaultTo(1);
      table
        .string('batch_id', 36)
        .references('id')
        .inTable('ingestion_batches')
        .onDelete('SET NULL');
      table.integer('chunk_index');
      table.integer('page_from');
      table.integer('page_to');
      table.text('changed_by').notNullable();
      times(table, 'created_at', 'updated_at');
      table.index(['organization_id', 'status', 'id']);
      // These two indexes alone answer the page query. It reads patterns and counts without touching a row.
      table.index(['app_id', 'status', 'scope', 'domain', 'visibility', 'url_pattern']);
      table.index(['app_id', 'status', 'visibility', 'domain']);
      table.index(['batch_id', 'chunk_index']);
    });
    await trx.schema.createTable('knowledge_entry_versions', (table) => {
      table.increments('id');
      ownedBy(table, 'entry_id', 'knowledge_entries');
      table.integer('version').notNullable();
      table.text('fields').notNullable();
      table.text('changed_by').notNullable();
      times(table, 'changed_at');
      table.unique(['entry_id', 'version']);
    });
    await trx.schema.createTable('passages', (table) => {
      table.increments('id');
      ownedBy(table, 'entry_id', 'knowledge_entries');
      table.integer('position').notNullable();
      // The rights of the entry, as columns: a search adds the actor's rights as conditions.
      table.integer('organization_id').notNullable();
      table.integer('app_id');
      table.string('visibility', 20).notNullable();
      table.boolean('published').notNullable();
      // The view of the entry, so that ranking can prefer entries of the current page.
      table.integer('view_id');
      table.string('domain', 255);
      table.text('url_pattern');
      table.string('language', 10).notNullable();
      table.text('title').notNullable();
      table.text('body').notNullable();
      table.integer('page_from');
      table.integer('page_to');
    });
    await createPassageIndex(trx);
  };
}
