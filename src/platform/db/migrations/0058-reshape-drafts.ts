import type { Knex } from 'knex';
import { times } from './columns.js';

/** Drafts that a person merged or split, as they were, so that both can be undone. */
export async function reshapeDrafts(trx: Knex): Promise<void> {
  await trx.schema.alterTable('knowledge_entries', (table) => {
    // The fingerprints of further sections that were merged into the entry, separated by blanks.
    table.text('merged_sha256s');
    // The place among the entries of one section; equal places are in the order of their numbers.
    table.integer('source_part').notNullable().defaultTo(0);
  });
  await trx.schema.createTable('ingestion_reshaped', (table) => {
    table.increments('id');
    table
      .string('batch_id', 36)
      .notNullable()
      .references('id')
      .inTable('ingestion_batches')
      .onDelete('CASCADE')
      .index();
    table.string('kind', 10).notNullable();
    // The merged draft, or the first part of a split one.
    table.integer('entry_id').notNullable().index();
    table.integer('version').notNullable();
    // The second part of a split draft.
    table.integer('other_id');
    table.integer('other_version');
    // The entry that is reported as gone because of the merge.
    table.integer('gone_id');
    table.text('before').notNullable();
    times(table, 'reshaped_at');
  });
}
