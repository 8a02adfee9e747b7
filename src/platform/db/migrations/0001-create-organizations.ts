import type { Knex } from 'knex';
import { ownedBy, times } from './columns.js';

/** Organizations, their apps, the domains that belong to an app, and the views of an app. */
export async function createOrganizations(trx: Knex): Promise<void> {
  await trx.schema.createTable('organizations', (table) => {
    table.increments('id');
    table.text('name').notNullable();
    table.string('slug', 100).notNullable().unique();
    times(table, 'created_at', 'updated_at');
  });
  await trx.schema.createTable('apps', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    table.text('name').notNullable();
    table.string('default_knowledge_visibility', 20);
    times(table, 'created_at', 'updated_at');
    table.unique(['organization_id', 'name']);
  });
  await trx.schema.createTable('domains', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    ownedBy(table, 'app_id', 'apps');
    // Lower case, IDN as punycode. `*.example.com` matches every host below it. Unique in the installation.
    table.string('host', 255).notNullable().unique();
    times(table, 'created_at', 'updated_at');
  });
  await trx.schema.createTable('views', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    ownedBy(table, 'app_id', 'apps');
    table.text('path').notNullable();
    table.text('title').notNullable();
    times(table, 'created_at', 'updated_at');
    table.unique(['app_id', 'path']);
  });
}
