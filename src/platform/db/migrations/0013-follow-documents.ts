import type { Knex } from 'knex';
import { ownedBy } from './columns.js';

/** Connects the ingestions of one document, so that a changed file is compared with the existing entries. */
export async function followDocuments(trx: Knex): Promise<void> {
  await trx.schema.alterTable('ingestion_batches', (table) => {
    // Domain (else app) and file name; the same for every version of a file.
    table.text('document').notNullable().defaultTo('');
    for (const count of ['unchanged', 'changed', 'new', 'gone']) {
      table.integer(`diff_${count}`).notNullable().defaultTo(0);
    }
    table.integer('fallback_chunks').notNullable().defaultTo(0);
    table.integer('hidden_text_total').notNullable().defaultTo(0);
    table.index(['organization_id', 'document']);
  });
  await trx.schema.alterTable('knowledge_entries', (table) => {
    table.text('source_document');
    // Hash of the section as it was read. It distinguishes a changed file from an entry that an operator edited.
    table.string('source_sha256', 64);
    table.text('source_title');
    // A never published draft belongs to the ingestion. An unpublished one belongs to the operator who unpublished it.
    table.boolean('was_published').notNullable().defaultTo(false);
    table.index(['organization_id', 'source_document']);
  });
  // Raw SQL, because the query builder would copy the whole table to add a reference.
  await trx.raw(
    'alter table knowledge_entries add column replaces_id integer references knowledge_entries (id) on delete set null',
  );
  await trx.raw('create index knowledge_entries_replaces_id on knowledge_entries (replaces_id)');
  await createFindings(trx);
  await fillIn(trx);
}

async function createFindings(trx: Knex): Promise<void> {
  await trx.schema.createTable('ingestion_gone', (table) => {
    ofBatch(table);
    ownedBy(table, 'entry_id', 'knowledge_entries');
    table.primary(['batch_id', 'entry_id']);
  });
  // Listed entry numbers of a batch whose entries now belong to another batch or number, and are approved.
  await trx.schema.createTable('ingestion_approved', (table) => {
    ofBatch(table);
    table.integer('entry_id').notNullable();
    table.primary(['batch_id', 'entry_id']);
  });
  await trx.schema.createTable('ingestion_hidden_texts', (table) => {
    ofBatch(table);
    table.integer('position').notNullable();
    table.integer('page').notNullable();
    table.string('reason', 20).notNullable();
    table.text('text').notNullable();
    table.primary(['batch_id', 'position']);
  });
}

function ofBatch(table: Knex.CreateTableBuilder): void {
  table
    .string('batch_id', 36)
    .notNullable()
    .references('id')
    .inTable('ingestion_batches')
    .onDelete('CASCADE');
}

/** Earlier ingestions are filled in too, but without fingerprints: the present text of those entries is compared. */
async function fillIn(trx: Knex): Promise<void> {
  await trx.raw(
    `update ingestion_batches set document =
       (case when domain is null then 'app:' || app_id else 'domain:' || domain end) || '/' || file_name`,
  );
  await trx.raw(
    `update knowledge_entries set source_document =
       (select document from ingestion_batches where ingestion_batches.id = knowledge_entries.batch_id)`,
  );
  await trx.raw(
    `update knowledge_entries set was_published = true where status = 'published' or exists (
       select 1 from knowledge_entry_versions where entry_id = knowledge_entries.id
       and fields like '%"status":"published"%')`,
  );
}
