import type { Knex } from 'knex';
import { isSqlite } from './columns.js';

/**
 * Decides what a linked person sees in an app's widget: the app of a notification, and the internal entries behind an
 * answer, cited or not.
 */
export async function followLinks(trx: Knex): Promise<void> {
  await trx.raw(
    'alter table notifications add column app_id integer references apps (id) on delete set null',
  );
  await trx.raw('create index notifications_app_id on notifications (app_id)');
  await trx.raw("alter table messages add column internal_entries text not null default '[]'");
  if (!isSqlite(trx)) return;
  await trx.raw(`update notifications set app_id =
    (select app_id from knowledge_requests where id = json_extract(payload, '$.requestId'))`);
  // Older rows do not name the internal entries that the model read. Hosts' pages show no old answers to staff.
  const staff = trx('users').whereNot({ role: 'user' }).select('id');
  const theirs = trx('conversations').whereIn('user_id', staff).select('id');
  await trx('messages')
    .where({ mode: 'ollama' })
    .whereIn('conversation_id', theirs)
    .update({ internal_entries: '["unknown"]' });
}
