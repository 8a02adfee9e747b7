import type { Knex } from 'knex';

/** When a reader at another server last asked for an answer: its maker must not take itself for alone. */
export async function watchAnswersElsewhere(trx: Knex): Promise<void> {
  await trx.schema.alterTable('running_answers', (table) => {
    table.string('watched_at', 24);
  });
}
