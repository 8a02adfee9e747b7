import type { Knex } from 'knex';

/** Lists the conversations of one channel with an index: a channel that few use was looked for in all conversations. */
export async function listByChannel(trx: Knex): Promise<void> {
  await trx.raw(
    `create index conversations_by_channel on conversations
     (organization_id, channel, updated_at, id)`,
  );
}
