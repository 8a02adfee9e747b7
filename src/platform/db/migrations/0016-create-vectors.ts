import type { Knex } from 'knex';
import { isSqlite, times } from './columns.js';

/** Embedding models with their vectors: one live generation, one being built, and the previous one as a fallback. */
export async function createVectors(trx: Knex): Promise<void> {
  await trx.schema.createTable('embedding_models', (table) => {
    table.increments('id');
    table.text('model').notNullable();
    // Two pulls under one name are two models: their vectors do not share one space.
    table.text('digest').notNullable();
    table.integer('dimension').notNullable();
    table.text('passage_prefix').notNullable();
    table.string('state', 20).notNullable();
    // All passages up to this id have vectors. Ids only grow, and a passage never changes.
    table.integer('embedded_to').notNullable().defaultTo(0);
    table.integer('refused').notNullable().defaultTo(0);
    times(table, 'created_at', 'updated_at');
  });
  await trx.raw(
    `create unique index embedding_models_state on embedding_models (state) where state in ('building', 'live')`,
  );
  // One row: the process that embeds passages now, and the reason why the last attempt failed.
  await trx.schema.createTable('embedding_work', (table) => {
    table.increments('id');
    table.string('lease_token', 36);
    table.string('lease_expires_at', 24);
    table.text('failure');
  });
  await trx('embedding_work').insert({ id: 1 });
  await trx.schema.createTable('passage_vectors', (table) => {
    table.increments('id');
    table.integer('passage_id').notNullable();
    table.integer('generation_id').notNullable().index();
    table.binary('vector').notNullable();
    table.foreign('passage_id').references('id').inTable('passages').onDelete('CASCADE');
    table.foreign('generation_id').references('id').inTable('embedding_models');
    table.unique(['passage_id', 'generation_id']);
  });
  // Separate from the vectors, which are about thirty times as long: a search reads all of these codes.
  await trx.raw(
    `create table passage_vector_codes (
       passage_id integer not null references passages (id) on delete cascade,
       generation_id integer not null,
       code ${isSqlite(trx) ? 'blob' : 'bytea'} not null,
       primary key (passage_id, generation_id)
     ) ${isSqlite(trx) ? 'without rowid' : ''}`,
  );
  // A vector search reads the rights of every passage. This index provides them without touching the text.
  await trx.schema.alterTable('passages', (table) => {
    table.index(['organization_id', 'published', 'visibility', 'app_id'], 'passages_rights');
  });
}
