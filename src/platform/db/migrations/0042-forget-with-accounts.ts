import type { Knex } from 'knex';
import type { Dialect } from '../dialect.js';
import { isSqlite, times } from './columns.js';

/**
 * Decides what is deleted with an account. A token that has linked an account stays on record without it: otherwise the
 * person could use the token again after an erasure. Mails to the person are deleted, because they hold the address.
 * Webhook messages stay, as the request does.
 */
export function forgetWithAccounts(dialect: Dialect) {
  return async (trx: Knex): Promise<void> => {
    // Nothing is in the table of PostgreSQL, and the name of its key would still be taken.
    if (isSqlite(trx)) await trx.schema.renameTable('link_tokens', 'old_link_tokens');
    else await trx.schema.dropTable('link_tokens');
    await trx.schema.createTable('link_tokens', (table) => {
      table.string('jti', 255).primary();
      times(table, 'expires_at');
    });
    if (isSqlite(trx)) {
      await trx.raw('insert into link_tokens select jti, expires_at from old_link_tokens');
      await trx.schema.dropTable('old_link_tokens');
    }
    await dialect.createRowTrigger(trx, {
      ...{ name: 'mails_go_with_people', table: 'notifications' },
      event: 'update of user_id, end_user_id',
      when: 'coalesce(new.user_id, new.end_user_id) is null and coalesce(old.user_id, old.end_user_id) is not null',
      run: `delete from outbox_deliveries where notification_id = new.id and channel = 'mail';`,
    });
  };
}
