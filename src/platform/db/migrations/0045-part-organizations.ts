import type { Knex } from 'knex';
import { ownedBy } from './columns.js';

/**
 * The trust in vectors by organization and tier instead of by installation, and turns at the workers. The trust
 * that was estimated so far came from the passages of all organizations: it is dropped, and estimated anew.
 */
export async function partOrganizations(trx: Knex): Promise<void> {
  await trx.schema.createTable('vector_trust', (table) => {
    table
      .integer('generation_id')
      .notNullable()
      .references('id')
      .inTable('embedding_models')
      .onDelete('CASCADE');
    ownedBy(table, 'organization_id', 'organizations');
    // The narrowest tier whose passages were among those from which it was estimated.
    table.string('visibility', 20).notNullable();
    table.text('trust').notNullable();
    table.integer('passages').notNullable();
    table.primary(['generation_id', 'organization_id', 'visibility']);
  });
  // Written out: the query builder would copy the whole table to drop a column.
  await trx.raw('alter table embedding_models drop column trust');
  await trx.raw('alter table embedding_models drop column trust_passages');
  await trx.schema.createTable('work_turns', (table) => {
    table.string('queue', 40).notNullable();
    ownedBy(table, 'organization_id', 'organizations');
    // Counts the turns of a queue: the lowest number had its turn longest ago.
    table.integer('turn').notNullable();
    table.primary(['queue', 'organization_id']);
  });
  // Also tells whose deliveries are due, of however many, without touching a row.
  await trx.schema.alterTable('outbox_deliveries', (table) => {
    table.dropIndex(['status', 'not_before']);
    table.index(['status', 'not_before', 'lease_expires_at', 'organization_id']);
  });
  // Few deliveries are being sent at a time: how many of each organization is read from here alone.
  await trx.raw(
    `create index outbox_deliveries_leases on outbox_deliveries (status, lease_expires_at, organization_id)
     where lease_expires_at is not null`,
  );
}
