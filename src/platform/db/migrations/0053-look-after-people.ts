import type { Knex } from 'knex';

/** When people were here last and proved who they are, and what webhooks answered. */
export async function lookAfterPeople(trx: Knex): Promise<void> {
  await trx.schema.alterTable('users', (table) => {
    // To the hour; null for never.
    table.string('last_seen_at', 24);
  });
  await trx.schema.alterTable('refresh_tokens', (table) => {
    // When the password was typed again in a browser's session; null since its beginning.
    table.string('proved_at', 24);
  });
  await trx.schema.alterTable('outbox_deliveries', (table) => {
    // The HTTP status of a webhook's last answer; null without one.
    table.integer('answer_status');
  });
}
