import type { Knex } from 'knex';

/** What an answer answers, and which of its sentences no cited passage bears out. */
export async function markSupport(trx: Knex): Promise<void> {
  await trx.schema.alterTable('messages', (table) => {
    // JSON: a list of {from, to}.
    table.text('unsupported').notNullable().defaultTo('[]');
    // Two questions that are asked at once may be answered in another order. No reference: both go with their
    // conversation, and SQLite would rebuild the table for one.
    table.integer('question_id').index();
  });
  // Until now one question at a time was asked, or nearly so.
  await trx.raw(
    `update messages set question_id =
       (select max(question.id) from messages as question
        where question.conversation_id = messages.conversation_id
        and question.role = 'user' and question.id < messages.id)
     where role = 'assistant'`,
  );
}
