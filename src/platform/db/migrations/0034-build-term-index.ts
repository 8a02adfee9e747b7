import type { Knex } from 'knex';
import type { Dialect } from '../dialect.js';
import { isSqlite, ownedBy } from './columns.js';

/** Raises the revision of an organization for each of its passages that changes. */
export const passageRevision = {
  ...{ table: 'passage_revisions', key: 'organization_id', column: 'revision' },
  keyOf: (row: string) => `${row}.organization_id`,
};

/**
 * One index for every search, in plain tables: the stems of an organization's passages, in segments that never change.
 * It replaces the full-text index, which found other passages than a server's memory did. This migration empties the
 * derived data; `bringIndexUpToDate` rebuilds it when a process next opens the database.
 */
export function buildTermIndex(dialect: Dialect) {
  return async (trx: Knex): Promise<void> => {
    for (const trigger of ['passage_comes', 'passage_goes']) {
      await dialect.dropRowTrigger(trx, trigger, 'passage_features');
    }
    const index = isSqlite(trx) ? ['passage_terms', 'passage_index'] : [];
    for (const table of [...index, 'passage_stems', 'passage_totals']) {
      await trx.schema.dropTable(table);
    }
    await trx.schema.dropTable('passage_features');
    await trx.schema.createTable('passage_features', (table) => {
      table
        .integer('passage_id')
        .primary()
        .references('id')
        .inTable('passages')
        .onDelete('CASCADE');
      table.binary('features').notNullable();
    });
    await trx.raw('drop index passages_scope');
    await trx.schema.alterTable('passages', (table) => {
      table.index(['organization_id'], 'passages_organization');
      table.index(['organization_id', 'url_pattern'], 'passages_pattern');
      table.index(['organization_id', 'view_id'], 'passages_view');
    });
    await trx('vocabulary').delete();
    await trx.schema.alterTable('vocabulary', (table) => {
      // Numbers, short words and names such as foo_bar are not words: a search finds them only by their beginning.
      table.boolean('is_word').notNullable().defaultTo(false);
    });
    await trx.schema.createTable('term_segments', (table) => {
      table.increments('id');
      ownedBy(table, 'organization_id', 'organizations');
      table.integer('first_passage').notNullable();
      table.integer('last_passage').notNullable();
      // Ids and lengths of its passages, by slot.
      table.binary('slots').notNullable();
    });
    await trx.schema.createTable('term_lists', (table) => {
      table
        .integer('segment_id')
        .notNullable()
        .references('id')
        .inTable('term_segments')
        .onDelete('CASCADE');
      // The upper 8 bits of its hashes.
      table.integer('list').notNullable();
      table.binary('terms').notNullable();
      table.primary(['segment_id', 'list']);
    });
    await trx.schema.createTable('passage_revisions', (table) => {
      table.integer('organization_id').primary();
      // Increases with each change of its passages. A cache compares it to detect that it is stale.
      table.integer('revision').notNullable();
    });
    const columns = 'app_id, visibility, published, view_id, domain, url_pattern';
    for (const trigger of [
      { name: 'passage_comes', event: 'insert', row: 'new' },
      { name: 'passage_goes', event: 'delete', row: 'old' },
      { name: 'passage_moves', event: 'update', columns, row: 'new' },
    ] as const) {
      const counted = { table: 'passages', counts: [passageRevision] };
      await dialect.createCountingTrigger(trx, { ...counted, ...trigger });
    }
    await trx.schema.createTable('search_index', (table) => {
      table.integer('id').primary();
      // The format of the derived search data; 0 means that it must be built.
      table.integer('format').notNullable();
    });
    await trx('search_index').insert({ id: 1, format: 0 });
  };
}
