import type { Knex } from 'knex';

/** Which question a message answers: two that are asked at once may be answered in another order. */
export async function linkReplies(trx: Knex): Promise<void> {
  await trx.schema.alterTable('messages', (table) => {
    // No reference: both go with their conversation, and SQLite would rebuild the table for one.
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
