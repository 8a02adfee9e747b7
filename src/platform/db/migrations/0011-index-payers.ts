import type { Knex } from 'knex';

/** Before each answer, the payer's usage of this month is summed from these indexes alone. */
export async function indexPayers(trx: Knex): Promise<void> {
  await trx.schema.alterTable('usage_events', (table) => {
    table.index(['payer_user_id', 'created_at', 'units']);
    table.index(['payer_organization_id', 'created_at', 'units']);
  });
}
