import type { Knex } from 'knex';
import { ownedBy, refersTo, times } from './columns.js';

/** Conversations of users, end users and visitors; messages and feedback. */
export async function createConversations(trx: Knex): Promise<void> {
  await trx.schema.createTable('conversations', (table) => {
    table.string('id', 36).primary();
    ownedBy(table, 'organization_id', 'organizations');
    refersTo(table, 'app_id', 'apps');
    refersTo(table, 'user_id', 'users');
    refersTo(table, 'end_user_id', 'end_users');
    table.string('visitor_id', 36).index();
    table.string('channel', 20).notNullable();
    table.text('title').notNullable();
    times(table, 'created_at', 'updated_at');
    table.index(['organization_id', 'updated_at']);
  });
  await trx.schema.createTable('messages', (table) => {
    table.increments('id');
    table
      .string('conversation_id', 36)
      .notNullable()
      .references('id')
      .inTable('conversations')
      .onDelete('CASCADE')
      .index();
    table.string('role', 20).notNullable();
    table.text('content').notNullable();
    table.string('status', 20).notNullable();
    table.string('language', 10).notNullable();
    table.string('mode', 20);
    table.boolean('found');
    table.text('sources').notNullable().defaultTo('[]');
    table.text('page_url');
    times(table, 'created_at');
  });
  await trx.schema.createTable('message_feedback', (table) => {
    table.integer('message_id').primary().references('id').inTable('messages').onDelete('CASCADE');
    table.string('rating', 10).notNullable();
    table.text('comment');
    times(table, 'created_at', 'updated_at');
  });
}
