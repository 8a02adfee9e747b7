import type { Knex } from 'knex';
import { ownedBy, times } from './columns.js';

/** On which hosts the widget was used, links that sign in once, and who has hidden the checklist of an installation. */
export async function followSites(trx: Knex): Promise<void> {
  await trx.schema.createTable('widget_key_hosts', (table) => {
    ownedBy(table, 'widget_key_id', 'widget_keys');
    table.string('host', 255).notNullable();
    times(table, 'seen_at');
    table.primary(['widget_key_id', 'host']);
  });
  await trx.schema.createTable('sign_in_links', (table) => {
    table.string('token_hash', 64).primary();
    ownedBy(table, 'user_id', 'users');
    times(table, 'expires_at');
  });
  await trx.schema.alterTable('users', (table) => {
    table.boolean('hides_checklist').notNullable().defaultTo(false);
  });
}
