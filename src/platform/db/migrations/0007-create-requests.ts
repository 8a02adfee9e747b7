import type { Knex } from 'knex';
import { ownedBy, refersTo, times } from './columns.js';

/** Knowledge requests, notifications, and the outbox that sends them. */
export async function createRequests(trx: Knex): Promise<void> {
  await trx.schema.createTable('knowledge_requests', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    refersTo(table, 'app_id', 'apps');
    table.string('status', 20).notNullable();
    table.text('question').notNullable();
    table.text('url');
    table
      .string('conversation_id', 36)
      .references('id')
      .inTable('conversations')
      .onDelete('SET NULL');
    refersTo(table, 'requester_user_id', 'users');
    refersTo(table, 'requester_end_user_id', 'end_users');
    table.string('requester_visitor_id', 36);
    table.string('requester_email', 320);
    table.text('response');
    refersTo(table, 'knowledge_entry_id', 'knowledge_entries');
    table.text('resolved_by');
    table.string('resolved_at', 24);
    times(table, 'created_at', 'updated_at');
    table.index(['organization_id', 'status', 'id']);
  });
  await trx.schema.createTable('notifications', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    refersTo(table, 'user_id', 'users');
    refersTo(table, 'end_user_id', 'end_users');
    table.string('visitor_id', 36).index();
    table.string('kind', 40).notNullable();
    // Identifies the notification's cause. A second resolution attempt of the same kind violates the constraint.
    table.string('dedupe_key', 120).notNullable().unique();
    table.text('payload').notNullable();
    table.string('read_at', 24);
    times(table, 'created_at');
  });
  await trx.schema.createTable('webhook_endpoints', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    table.text('url').notNullable();
    table.text('secret').notNullable();
    table.boolean('disabled').notNullable().defaultTo(false);
    times(table, 'created_at', 'updated_at');
  });
  await trx.schema.createTable('outbox_deliveries', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    table
      .integer('notification_id')
      .notNullable()
      .references('id')
      .inTable('notifications')
      .onDelete('CASCADE');
    table.string('channel', 20).notNullable();
    table.text('target').notNullable();
    table.text('payload').notNullable();
    table.string('status', 20).notNullable();
    table.integer('attempts').notNullable().defaultTo(0);
    table.text('last_error');
    table.string('lease_token', 36);
    table.string('lease_expires_at', 24);
    table.string('delivered_at', 24);
    times(table, 'not_before', 'created_at', 'updated_at');
    table.index(['status', 'not_before']);
  });
}
