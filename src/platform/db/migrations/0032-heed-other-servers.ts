import type { Knex } from 'knex';

/** What other processes ask of the one that makes an answer, and what it tells them of it meanwhile. */
export async function heedOtherServers(trx: Knex): Promise<void> {
  await trx.schema.alterTable('running_answers', (table) => {
    table.string('cancel_requested_at', 24);
    table.string('watched_at', 24);
    table.text('events');
    table.string('asked_by', 120);
  });
}
