import type { Knex } from 'knex';

/** The question of each answer, and the sentences that no cited passage supports. */
export async function markSupport(trx: Knex): Promise<void> {
  await trx.schema.alterTable('messages', (table) => {
    // JSON: a list of {from, to}.
    table.text('unsupported').notNullable().defaultTo('[]');
    // Two parallel questions may be answered in another order. No reference: both rows are deleted with their
    // conversation, and SQLite would rebuild the table to add one.
    table.integer('question_id').index();
  });
  // Until now, questions were almost always asked one at a time.
  await trx.raw(
    `update messages set question_id =
       (select max(question.id) from messages as question
        where question.conversation_id = messages.conversation_id
        and question.role = 'user' and question.id < messages.id)
     where role = 'assistant'`,
  );
}
