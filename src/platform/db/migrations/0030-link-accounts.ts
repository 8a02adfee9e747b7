import type { Knex } from 'knex';
import { ownedBy, times } from './columns.js';

/**
 * Links of accounts to what hosts call the same people: one account for each identity, and one identity of each app
 * for an account. Nothing wrote to the table before.
 */
export async function linkAccounts(trx: Knex): Promise<void> {
  await trx.schema.dropTable('account_links');
  await trx.schema.createTable('account_links', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    ownedBy(table, 'app_id', 'apps');
    table
      .integer('end_user_id')
      .notNullable()
      .unique()
      .references('id')
      .inTable('end_users')
      .onDelete('CASCADE');
    ownedBy(table, 'user_id', 'users');
    times(table, 'created_at');
    // With the one above what makes two attempts at once safe, in however many processes.
    table.unique(['app_id', 'user_id']);
  });
  await trx.schema.createTable('link_tokens', (table) => {
    // A token that has linked one account links no other while it holds, whoever has got hold of it.
    table.string('jti', 255).primary();
    ownedBy(table, 'user_id', 'users');
    times(table, 'expires_at');
  });
}
