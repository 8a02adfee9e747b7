import type { Knex } from 'knex';

/** Which process makes the answer to a question, so that the others know whether any does. */
export async function claimAnswers(trx: Knex): Promise<void> {
  await trx.schema.createTable('running_answers', (table) => {
    table.integer('question_id').primary().references('id').inTable('messages').onDelete('CASCADE');
    table.string('holder', 400).notNullable();
    table.string('lease_expires_at', 24).notNullable();
  });
}
