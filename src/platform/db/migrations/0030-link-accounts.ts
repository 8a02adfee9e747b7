import type { Knex } from 'knex';
import { ownedBy, times } from './columns.js';

/**
 * Links between accounts and the hosts' identities of the same people: one account per identity, and one identity per
 * app for an account. No earlier version wrote to the table.
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
    // Together with the constraint above, this makes two attempts at once safe across processes.
    table.unique(['app_id', 'user_id']);
  });
  await trx.schema.createTable('link_tokens', (table) => {
    // Until it expires, a token that has linked one account links no other, even if it was stolen.
    table.string('jti', 255).primary();
    ownedBy(table, 'user_id', 'users');
    times(table, 'expires_at');
  });
}
