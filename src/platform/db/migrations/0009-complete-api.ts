import type { Knex } from 'knex';

/** What the REST API needs beyond the first model: resolutions, ended sessions, who used what. */
export async function completeApi(trx: Knex): Promise<void> {
  await trx.schema.alterTable('knowledge_requests', (table) => {
    // How often it was resolved: each resolution is notified once, and its number is part of the dedupe key.
    table.integer('resolutions').notNullable().defaultTo(0);
  });
  await trx.schema.alterTable('outbox_deliveries', (table) => {
    table.unique(['notification_id', 'channel', 'target']);
  });
  await trx.schema.alterTable('users', (table) => {
    // Access tokens issued before are refused: set when a password is changed or an account disabled.
    table.string('tokens_valid_from', 24);
  });
  await trx.schema.alterTable('usage_events', (table) => {
    // Who asked, which is not who pays. No reference: what was used stays on record when people go.
    table.integer('user_id');
    table.integer('end_user_id');
  });
  await trx.schema.alterTable('knowledge_entries', (table) => {
    table.index(['organization_id', 'updated_at']);
  });
}
