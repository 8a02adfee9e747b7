import type { Knex } from 'knex';
import { isSqlite, textType } from './columns.js';

/** The conversation in which a notification's question was asked. The answer is shown there. */
export async function answerInConversation(trx: Knex): Promise<void> {
  await trx.raw(
    `alter table notifications add column conversation_id ${textType(trx, 36)}
     references conversations (id) on delete set null`,
  );
  await trx.raw('create index notifications_conversation_id on notifications (conversation_id)');
  if (!isSqlite(trx)) return;
  await trx.raw(`update notifications set conversation_id =
    (select conversation_id from knowledge_requests where id = json_extract(payload, '$.requestId'))`);
}
