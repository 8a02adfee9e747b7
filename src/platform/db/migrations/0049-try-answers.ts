import type { Knex } from 'knex';

/** Usage of answers that are not stored. */
export async function tryAnswers(trx: Knex): Promise<void> {
  await trx.schema.alterTable('usage_events', (table) => {
    // Null: a question that somebody tried without a conversation.
    table.setNullable('message_id');
  });
}
