import type { Knex } from 'knex';

/** Records which reader read a batch's file. Null for files read before, and for those not read yet. */
export async function recordReader(trx: Knex): Promise<void> {
  await trx.schema.alterTable('ingestion_batches', (table) => {
    table.text('read_by');
  });
}
