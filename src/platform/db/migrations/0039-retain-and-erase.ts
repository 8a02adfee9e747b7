import type { Knex } from 'knex';
import { ownedBy } from './columns.js';

/** What retention and erasure need: whose a sign-in place is, days that organizations chose, daily sums of usage. */
export async function retainAndErase(trx: Knex): Promise<void> {
  // A hash alone does not tell whose it is: those of before are forgotten, and remembered again by the next sign-in.
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
  // Answers that the row stands for: more than one where a day's details have become its sum.
  await trx.raw('alter table usage_events add column messages integer not null default 1');
  // One row: how many people were erased, and up to which of them the file was rewritten since.
  await trx.schema.createTable('erasure_work', (table) => {
    table.integer('id').primary();
    table.integer('erased').notNullable();
    table.integer('rewritten').notNullable();
  });
  await trx('erasure_work').insert({ id: 1, erased: 0, rewritten: 0 });
}
