import type { Knex } from 'knex';

/** End users who are users of the organization itself, signed in by the form of the widget: one for each app. */
export async function signInEndUsers(trx: Knex): Promise<void> {
  // Written out: the query builder would copy the whole table to add a reference.
  await trx.raw(
    'alter table end_users add column user_id integer references users (id) on delete cascade',
  );
  await trx.raw('create unique index end_users_app_id_user_id on end_users (app_id, user_id)');
  await trx.raw('create index end_users_user_id on end_users (user_id)');
}
