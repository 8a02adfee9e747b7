import type { Knex } from 'knex';

/** End users who are users of the organization and sign in by the widget's form: one for each app. */
export async function signInEndUsers(trx: Knex): Promise<void> {
  // Raw SQL, because the query builder would copy the whole table to add a reference.
  await trx.raw(
    'alter table end_users add column user_id integer references users (id) on delete cascade',
  );
  await trx.raw('create unique index end_users_app_id_user_id on end_users (app_id, user_id)');
  await trx.raw('create index end_users_user_id on end_users (user_id)');
}
