import type { Knex } from 'knex';
import { ownedBy, times } from './columns.js';

/** Widget keys with their secrets, the federated end users of hosts, and their links to accounts. */
export async function createFederation(trx: Knex): Promise<void> {
  await trx.schema.createTable('widget_keys', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    ownedBy(table, 'app_id', 'apps');
    table.string('key', 60).notNullable().unique();
    table.string('kind', 20).notNullable();
    table.text('name').notNullable();
    table.string('revoked_at', 24);
    times(table, 'created_at');
  });
  await trx.schema.createTable('widget_secrets', (table) => {
    table.increments('id');
    ownedBy(table, 'widget_key_id', 'widget_keys');
    table.string('secret_hash', 64).notNullable();
    table.string('expires_at', 24);
    table.string('revoked_at', 24);
    times(table, 'created_at');
  });
  await trx.schema.createTable('end_users', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    ownedBy(table, 'app_id', 'apps');
    table.string('external_id', 255).notNullable();
    table.string('email', 320);
    table.text('display_name');
    times(table, 'created_at', 'updated_at');
    table.unique(['app_id', 'external_id']);
  });
  await trx.schema.createTable('account_links', (table) => {
    table.increments('id');
    // One account per end user, set once. The constraint makes two attempts at once safe.
    table
      .integer('end_user_id')
      .notNullable()
      .unique()
      .references('id')
      .inTable('end_users')
      .onDelete('CASCADE');
    ownedBy(table, 'user_id', 'users');
    times(table, 'created_at');
  });
}
