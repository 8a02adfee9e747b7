import type { Knex } from 'knex';
import { ownedBy, times } from './columns.js';

/** The folders and websites that are read again and again, their runs, and what is known of a website’s pages. */
export async function createSources(trx: Knex): Promise<void> {
  await trx.schema.createTable('sources', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    ownedBy(table, 'app_id', 'apps');
    table.string('domain', 253);
    table.string('name', 100).notNullable();
    table.string('kind', 10).notNullable();
    // The path of a folder, or the address of a website.
    table.text('place').notNullable();
    table.text('options').notNullable();
    table.string('visibility', 20);
    table.string('policy', 20).notNullable();
    // Null: only when somebody asks for it.
    table.integer('every_minutes');
    table.string('next_run_at', 24).index();
    table.string('lease_token', 100);
    table.string('lease_expires_at', 24);
    times(table, 'created_at', 'updated_at');
    table.unique(['organization_id', 'name']);
  });
  await trx.schema.createTable('source_runs', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    ownedBy(table, 'source_id', 'sources');
    table.string('status', 10).notNullable();
    table.text('counts').notNullable();
    table.text('report').notNullable();
    table.string('error_code', 50);
    table.text('error_message');
    table.string('ended_at', 24);
    times(table, 'created_at', 'updated_at');
  });
  await trx.schema.createTable('source_pages', (table) => {
    ownedBy(table, 'source_id', 'sources');
    // SHA-256 of the address, which may be too long for an index.
    table.string('address_sha256', 64).notNullable();
    table.text('address').notNullable();
    // False for an address that brought no page, or brings none any more.
    table.boolean('is_page').notNullable();
    table.integer('depth').notNullable();
    table.text('etag');
    table.text('last_modified');
    table.string('content_hash', 64);
    table.text('sitemap_date');
    table.string('checked_at', 24).notNullable();
    table.string('file_name', 255);
    table.string('batch_id', 36);
    table.primary(['source_id', 'address_sha256']);
  });
}
