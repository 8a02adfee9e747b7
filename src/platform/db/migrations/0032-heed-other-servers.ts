import type { Knex } from 'knex';

/** Messages between the process that produces an answer and the other processes. */
export async function heedOtherServers(trx: Knex): Promise<void> {
  await trx.schema.alterTable('running_answers', (table) => {
    table.string('cancel_requested_at', 24);
    table.string('watched_at', 24);
    table.text('events');
    table.string('asked_by', 120);
  });
}
