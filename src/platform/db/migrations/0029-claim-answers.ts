import type { Knex } from 'knex';

/** The process that produces the answer to a question, so that other processes know that one is working. */
export async function claimAnswers(trx: Knex): Promise<void> {
  await trx.schema.createTable('running_answers', (table) => {
    table.integer('question_id').primary().references('id').inTable('messages').onDelete('CASCADE');
    table.string('holder', 400).notNullable();
    table.string('lease_expires_at', 24).notNullable();
  });
}
