import type { Knex } from 'knex';

/** Indexes for filters of lists that few rows fit, and for counting what fits a filter of entries. */
export async function filterLists(trx: Knex): Promise<void> {
  await trx.schema.alterTable('message_feedback', (table) => {
    table.index(['rating', 'message_id']);
  });
  await trx.raw(
    'create index message_feedback_commented on message_feedback (message_id) where comment is not null',
  );
  await trx.raw(
    "create index messages_incomplete on messages (conversation_id) where status = 'incomplete'",
  );
  // In the order of the list, with what it is filtered by: reading the entries would take ten times as long.
  await trx.schema.alterTable('knowledge_entries', (table) => {
    table.dropIndex(['organization_id', 'updated_at']);
  });
  await trx.raw(
    `create index knowledge_entries_listed on knowledge_entries
     (organization_id, updated_at, id, visibility, status, domain)`,
  );
}
