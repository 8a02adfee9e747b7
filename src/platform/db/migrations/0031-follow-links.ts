import type { Knex } from 'knex';

/**
 * What decides whether a linked person is shown something in an app's widget: the app that a notification is about,
 * and the internal entries that an answer was made from, whether it cites them or not.
 */
export async function followLinks(trx: Knex): Promise<void> {
  await trx.raw(
    'alter table notifications add column app_id integer references apps (id) on delete set null',
  );
  await trx.raw('create index notifications_app_id on notifications (app_id)');
  await trx.raw(`update notifications set app_id =
    (select app_id from knowledge_requests where id = json_extract(payload, '$.requestId'))`);
  await trx.raw("alter table messages add column internal_entries text not null default '[]'");
  // What a model had read before it answered staff was not kept: no page of a host is to show it.
  const staff = trx('users').whereNot({ role: 'user' }).select('id');
  const theirs = trx('conversations').whereIn('user_id', staff).select('id');
  await trx('messages')
    .where({ mode: 'ollama' })
    .whereIn('conversation_id', theirs)
    .update({ internal_entries: '["unknown"]' });
}
