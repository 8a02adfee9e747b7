import type { Knex } from 'knex';
import { ownedBy, times } from './columns.js';

/** Users, the keys that sign tokens, refresh tokens by family, and long-lived named tokens. */
export async function createAccounts(trx: Knex): Promise<void> {
  await trx.schema.createTable('users', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    // The address as typed, and a normalized form for look-up: one account per address in the installation.
    table.string('email', 320).notNullable();
    table.string('email_key', 320).notNullable().unique();
    table.text('display_name').notNullable();
    table.string('role', 20).notNullable();
    table.text('password_hash');
    table.boolean('disabled').notNullable().defaultTo(false);
    times(table, 'created_at', 'updated_at');
  });
  await trx.schema.createTable('signing_keys', (table) => {
    table.string('kid', 40).primary();
    table.text('secret').notNullable();
    times(table, 'created_at');
    table.string('retired_at', 24);
  });
  await trx.schema.createTable('refresh_tokens', (table) => {
    table.increments('id');
    ownedBy(table, 'user_id', 'users');
    table.string('family', 36).notNullable().index();
    table.string('token_hash', 64).notNullable().unique();
    table.string('used_at', 24);
    table.string('revoked_at', 24);
    times(table, 'expires_at', 'created_at');
  });
  await trx.schema.createTable('api_tokens', (table) => {
    table.increments('id');
    ownedBy(table, 'user_id', 'users');
    table.string('jti', 36).notNullable().unique();
    table.text('name').notNullable();
    table.string('expires_at', 24);
    table.string('revoked_at', 24);
    table.string('last_used_at', 24);
    times(table, 'created_at');
  });
}
