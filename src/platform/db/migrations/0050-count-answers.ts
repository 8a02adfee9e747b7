import type { Knex } from 'knex';
import { textType } from './columns.js';

/** Time zones of organizations, an index to count answers by, and questions that need no entry any more. */
export async function countAnswers(trx: Knex): Promise<void> {
  // Null: the server's. Days of figures are those of this zone.
  await trx.raw(`alter table organizations add column time_zone ${textType(trx, 60)}`);
  // Holds all that the figures read of a message, because texts and sources lie between the messages.
  await trx.raw(
    `create index messages_counted on messages
     (created_at, conversation_id, language, found, (unsupported <> '[]'))
     where role = 'assistant' and found is not null`,
  );
  await trx.schema.createTable('settled_questions', (table) => {
    table.integer('question_id').primary().references('id').inTable('messages').onDelete('CASCADE');
    table.string('how', 20).notNullable();
    table.string('settled_at', 24).notNullable();
  });
}
