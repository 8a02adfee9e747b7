import type { Knex } from 'knex';
import { ownedBy, refersTo, times } from './columns.js';

/** One event per answered message, quotas, and the record of changes. */
export async function createUsage(trx: Knex): Promise<void> {
  await trx.schema.createTable('usage_events', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    refersTo(table, 'app_id', 'apps');
    table.integer('message_id').notNullable().unique();
    table.string('channel', 20).notNullable();
    table.integer('units').notNullable();
    // Exactly one of these two columns names the payer.
    table.integer('payer_organization_id');
    table.integer('payer_user_id');
    times(table, 'created_at');
    table.check('(payer_organization_id is null) <> (payer_user_id is null)');
    table.index(['organization_id', 'created_at']);
  });
  await trx.schema.createTable('quotas', (table) => {
    table.increments('id');
    table.integer('organization_id').references('id').inTable('organizations').onDelete('CASCADE');
    table.integer('user_id').references('id').inTable('users').onDelete('CASCADE');
    table.integer('units_per_month').notNullable();
    times(table, 'created_at', 'updated_at');
    table.check('(organization_id is null) <> (user_id is null)');
    table.unique(['organization_id']);
    table.unique(['user_id']);
  });
  await trx.schema.createTable('audit_log', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    table.text('actor').notNullable();
    table.string('action', 60).notNullable();
    table.text('subject').notNullable();
    table.text('before');
    table.text('after');
    times(table, 'created_at');
    table.index(['organization_id', 'created_at']);
  });
}
