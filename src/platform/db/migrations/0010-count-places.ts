import type { Knex } from 'knex';
import type { Dialect } from '../dialect.js';

const placeColumns = 'app_id, scope, domain, url_pattern, view_id, visibility';

/**
 * The number of published entries at each place of an app. Every page view asks for a page, so its cost must not grow
 * with the number of entries. Triggers keep the counts, so that no write can miss them.
 */
export function countPlaces(dialect: Dialect) {
  return async (trx: Knex): Promise<void> => {
    await trx.schema.createTable('knowledge_places', (table) => {
      table.integer('app_id').notNullable();
      table.string('scope', 20).notNullable();
      // An empty text and 0 mean "none" here, because a key can't contain nulls.
      table.string('domain', 255).notNullable();
      table.text('url_pattern').notNullable();
      table.integer('view_id').notNullable();
      table.string('visibility', 20).notNullable();
      table.integer('entries').notNullable();
      table.primary(['app_id', 'scope', 'domain', 'url_pattern', 'view_id', 'visibility']);
    });
    await trx.schema.createTable('knowledge_revisions', (table) => {
      table.integer('app_id').primary();
      // Increases with each change of the app's visible entries. A cache compares it to detect that it is stale.
      table.integer('revision').notNullable();
    });
    await trx.raw(
      `insert into knowledge_places (${placeColumns}, entries)
       select app_id, scope, coalesce(domain, ''), coalesce(url_pattern, ''), coalesce(view_id, 0), visibility, count(*)
       from knowledge_entries where app_id is not null and status = 'published' group by 1, 2, 3, 4, 5, 6`,
    );
    for (const trigger of triggers) {
      await dialect.createCountingTrigger(trx, { table: 'knowledge_entries', ...trigger });
    }
    await trx.schema.alterTable('knowledge_entries', (table) => {
      table.dropIndex(['app_id', 'status', 'scope', 'domain', 'visibility', 'url_pattern']);
      table.dropIndex(['app_id', 'status', 'visibility', 'domain']);
    });
    // The order in which a page shows the entries of a place, so that only the first ones are read.
    await trx.raw(
      `create index knowledge_entries_place on knowledge_entries
       (app_id, status, scope, domain, url_pattern, view_id, visibility, updated_at desc, id)`,
    );
  };
}

const isShown = (row: string) => `${row}.app_id is not null and ${row}.status = 'published'`;

const placeOf = (row: string) =>
  `${row}.app_id, ${row}.scope, coalesce(${row}.domain, ''), coalesce(${row}.url_pattern, ''), coalesce(${row}.view_id, 0), ${row}.visibility`;

const revision = {
  ...{ table: 'knowledge_revisions', key: 'app_id', column: 'revision' },
  keyOf: (row: string) => `${row}.app_id`,
};
const places = {
  ...{ table: 'knowledge_places', key: placeColumns, column: 'entries', keyOf: placeOf },
};

const content = 'title, content, updated_at';
const place = 'app_id, status, scope, domain, url_pattern, view_id, visibility';

const enter = { row: 'new', when: isShown, counts: [places, revision] } as const;
const fall = { ...places, falls: true };
const leave = { row: 'old', when: isShown, counts: [fall, revision] } as const;

const triggers = [
  { name: 'entry_enters', event: 'insert', ...enter },
  { name: 'entry_leaves', event: 'delete', ...leave },
  { name: 'entry_changes', event: 'update', columns: content, ...enter, counts: [revision] },
  { name: 'entry_moves_away', event: 'update', columns: place, ...leave },
  { name: 'entry_moves_in', event: 'update', columns: place, ...enter },
] as const;
