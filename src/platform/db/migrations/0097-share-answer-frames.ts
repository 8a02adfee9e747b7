import type { Knex } from 'knex';
import { isSqlite } from './columns.js';

/** The pieces of answers under way, for readers at other servers. They are gone with the claim on the answer. */
export async function shareAnswerFrames(trx: Knex): Promise<void> {
  await trx.schema.alterTable('running_answers', (table) => {
    // By a credential of the same person that may read more, only the end can be read.
    table.string('asker', 200);
  });
  await trx.schema.createTable('answer_frames', (table) => {
    table.integer('question_id').notNullable();
    table.foreign('question_id').references('running_answers.question_id').onDelete('CASCADE');
    table.integer('number').notNullable();
    table.text('frame').notNullable();
    table.primary(['question_id', 'number']);
  });
  // A crash ends these answers too.
  if (!isSqlite(trx)) await trx.raw('alter table answer_frames set unlogged');
}
