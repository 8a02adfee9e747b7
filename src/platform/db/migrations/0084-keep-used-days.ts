import type { Knex } from 'knex';
import type { Dialect } from '../dialect.js';
import { times } from './columns.js';

/**
 * Keeps the usage of days that are over beside their figures. The triggers of 0067 forget the days of both, whichever
 * changes: a day is quickly counted again.
 */
export function keepUsedDays(dialect: Dialect) {
  return async (trx: Knex): Promise<void> => {
    await trx.schema.dropTable('counted_days');
    await trx.schema.createTable('counted_days', (table) => {
      table.integer('organization_id').notNullable();
      table.foreign('organization_id').references('organizations.id').onDelete('CASCADE');
      times(table, 'next', 'first');
      // What was counted.
      table.string('figures', 20).notNullable();
      // From this time on the day must be counted again. Null: never.
      table.string('until', 24);
      table.text('counts').notNullable();
      table.primary(['organization_id', 'next', 'first', 'figures']);
    });
    // Erasing a person takes their number from the usage, and from what is kept of it.
    const name = 'counted_days_usage_events_update';
    await dialect.dropRowTrigger(trx, name, 'usage_events');
    await dialect.createRowTrigger(trx, {
      ...{ name, table: 'usage_events', when: '1 = 1' },
      event:
        'update of organization_id, app_id, channel, units, messages, user_id, payer_user_id, created_at',
      run: `${forgetDay('old')} ${forgetDay('new')}`,
    });
  };
}

const forgetDay = (row: string) => `delete from counted_days
  where organization_id = ${row}.organization_id
    and next > ${row}.created_at and first <= ${row}.created_at;`;
