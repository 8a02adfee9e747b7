import type { Knex } from 'knex';

/** Additions for the REST API: resolutions, ended sessions, and the people who used the service. */
export async function completeApi(trx: Knex): Promise<void> {
  await trx.schema.alterTable('knowledge_requests', (table) => {
    // The number of resolutions. Each resolution is notified once, and its number is part of the dedupe key.
    table.integer('resolutions').notNullable().defaultTo(0);
  });
  await trx.schema.alterTable('outbox_deliveries', (table) => {
    table.unique(['notification_id', 'channel', 'target']);
  });
  await trx.schema.alterTable('users', (table) => {
    // Access tokens issued before this time are refused. It is set when a password changes or an account is disabled.
    table.string('tokens_valid_from', 24);
  });
  await trx.schema.alterTable('usage_events', (table) => {
    // The person who asked, who may differ from the payer. No reference: usage stays on record when people are deleted.
    table.integer('user_id');
    table.integer('end_user_id');
  });
  await trx.schema.alterTable('knowledge_entries', (table) => {
    table.index(['organization_id', 'updated_at']);
  });
}
