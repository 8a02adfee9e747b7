import type { Knex } from 'knex';
import { isSqlite, textType } from './columns.js';

/** How long answers took, which model wrote them, and which entries they cite. */
export async function traceAnswers(trx: Knex): Promise<void> {
  await trx.schema.alterTable('messages', (table) => {
    // Milliseconds since the question. Null for questions, and for answers from before.
    table.integer('first_word_ms');
    table.integer('total_ms');
    // Null for a quotation.
    table.string('model', 200);
  });
  // The organization is that of the conversation, not that of the entry.
  await trx.raw(
    `create table message_citations (
       organization_id integer not null references organizations (id) on delete cascade,
       entry_uuid ${textType(trx, 36)} not null,
       message_id integer not null references messages (id) on delete cascade,
       primary key (organization_id, entry_uuid, message_id)
     )`,
  );
  await trx.raw('create index message_citations_message_id on message_citations (message_id)');
  // Exports read conversations in the order in which they began.
  await trx.raw(
    'create index conversations_begun on conversations (organization_id, created_at, id)',
  );
  if (!isSqlite(trx)) return;
  await trx.raw(
    `insert or ignore into message_citations (organization_id, entry_uuid, message_id)
     select conversations.organization_id, json_extract(source.value, '$.entryUuid'), messages.id
     from messages
     cross join conversations on conversations.id = messages.conversation_id
     cross join json_each(messages.sources) as source
     where messages.sources <> '[]' and json_extract(source.value, '$.entryUuid') is not null`,
  );
}
