import type { Knex } from 'knex';

/** Names the replacement in many drafts that the change of a draft is a part of, so that all of it can be undone. */
export async function undoReplacements(trx: Knex): Promise<void> {
  await trx.schema.alterTable('ingestion_reshaped', (table) => {
    table.string('replacement_id', 36);
  });
}
