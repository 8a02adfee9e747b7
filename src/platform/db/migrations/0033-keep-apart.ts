import type { Knex } from 'knex';
import { isSqlite } from './columns.js';

/**
 * Decides how much of an account's own conversations a linked site shows: the app of each question, and the time until
 * which the account was staff.
 */
export async function keepApart(trx: Knex): Promise<void> {
  await trx.schema.alterTable('messages', (table) => {
    table.boolean('of_other_app').notNullable().defaultTo(false);
  });
  await trx.schema.alterTable('users', (table) => {
    table.string('staff_until', 24);
  });
  if (!isSqlite(trx)) return;
  // Older rows do not record each question's app. Another host than the first one counts as another app's.
  const accounts = trx('conversations').whereNotNull('user_id').whereNotNull('app_id').select('id');
  const first = trx('messages as first')
    .whereRaw('first.conversation_id = messages.conversation_id')
    .orderBy('first.id')
    .limit(1)
    .select(trx.raw(hostOf('first.page_url')));
  await trx('messages')
    .whereIn('conversation_id', accounts)
    .whereRaw(`${hostOf('messages.page_url')} is not (?)`, [first])
    .update({ of_other_app: true });
}

/** SQL for the part of a URL before its path. */
function hostOf(column: string): string {
  const path = `instr(substr(${column}, 9), '/')`;
  return `case when ${path} = 0 then ${column} else substr(${column}, 1, ${path} + 7) end`;
}
