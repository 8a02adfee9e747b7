import type { Knex } from 'knex';

/** Which question an answer is of: two asked at once in one conversation may be answered in the other order. */
export async function linkAnswers(trx: Knex): Promise<void> {
  await trx.schema.alterTable('messages', (table) => {
    // No reference: a question never goes without its answer, since both go with their conversation.
    table.integer('question_id').index();
  });
  await trx.raw(
    `update messages set question_id =
       (select max(asked.id) from messages as asked
        where asked.conversation_id = messages.conversation_id
        and asked.role = 'user' and asked.id < messages.id)
     where role = 'assistant'`,
  );
}
