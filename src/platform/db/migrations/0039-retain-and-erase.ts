import type { Knex } from 'knex';
import { ownedBy } from './columns.js';

/** Data for retention and erasure: owners of sign-in places, organizations' days, and daily sums of usage. */
export async function retainAndErase(trx: Knex): Promise<void> {
  // The hash alone does not name the owner. Existing places are deleted, and the next sign-in stores them again.
  await trx.schema.dropTable('sign_in_places');
  await trx.schema.createTable('sign_in_places', (table) => {
    table.string('place_hash', 64).primary();
    ownedBy(table, 'user_id', 'users');
    table.string('seen_at', 24).notNullable().index();
  });
  await trx.schema.createTable('retention_days', (table) => {
    ownedBy(table, 'organization_id', 'organizations');
    table.string('kind', 40).notNullable();
    table.integer('days').notNullable();
    table.primary(['organization_id', 'kind']);
  });
  // The number of answers in the row: more than one when a day's details were replaced by their sum.
  await trx.raw('alter table usage_events add column messages integer not null default 1');
  // One row: how many people were erased, and how many of them before the file was last rewritten.
  await trx.schema.createTable('erasure_work', (table) => {
    table.integer('id').primary();
    table.integer('erased').notNullable();
    table.integer('rewritten').notNullable();
  });
  await trx('erasure_work').insert({ id: 1, erased: 0, rewritten: 0 });
}
