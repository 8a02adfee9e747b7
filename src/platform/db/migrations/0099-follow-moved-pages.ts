import type { Knex } from 'knex';

/** What tells a page that has moved, and one that is as it was; and who gets a report of each run. */
export async function followMovedPages(trx: Knex): Promise<void> {
  await trx.schema.alterTable('source_pages', (table) => {
    table.string('body_hash', 64);
    table.string('text_hash', 64);
  });
  // Not by knex, which would make the table anew on SQLite.
  await trx.raw(
    'alter table sources add column report_to integer references users (id) on delete set null',
  );
  await trx.raw('create index sources_report_to_index on sources (report_to)');
}
