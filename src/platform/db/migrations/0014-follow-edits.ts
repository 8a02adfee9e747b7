import type { Knex } from 'knex';

/** Distinguishes text that a person wrote from text that was read, and a current reading from an outdated one. */
export async function followEdits(trx: Knex): Promise<void> {
  await trx.schema.alterTable('knowledge_entries', (table) => {
    table.boolean('edited').notNullable().defaultTo(false);
  });
  await trx.schema.alterTable('ingestion_batches', (table) => {
    // No reference: the fact that a later version was read remains true when its batch is deleted.
    table.string('superseded_by', 36);
    // The path of a file that the command line read. The file keeps its name, whatever is ingested beside it.
    table.text('source_path');
    table.integer('visibility_narrowed').notNullable().defaultTo(0);
    table.integer('visibility_kept').notNullable().defaultTo(0);
  });
  await trx.raw(
    `update ingestion_batches set superseded_by =
       (select later.id from ingestion_batches as later
        where later.organization_id = ingestion_batches.organization_id
        and later.document = ingestion_batches.document and later.status = 'completed'
        and later.created_at > ingestion_batches.created_at
        order by later.created_at desc limit 1)`,
  );
  await markEdited(trx);
}

interface Text {
  id: number;
  title: string;
  content: string;
  fields: string;
}

/** An entry of a document whose text differs from its first version counts as edited. */
async function markEdited(trx: Knex): Promise<void> {
  for (let last = 0, more = true; more;) {
    const rows: Text[] = await trx('knowledge_entries')
      .join('knowledge_entry_versions as first', 'first.entry_id', 'knowledge_entries.id')
      .where('first.version', 1)
      .whereNotNull('source_document')
      .where('knowledge_entries.id', '>', last)
      .orderBy('knowledge_entries.id')
      .limit(200)
      .select('knowledge_entries.id', 'title', 'content', 'first.fields');
    const edited = rows.filter(({ title, content, fields }) => {
      const first = JSON.parse(fields) as Partial<Text>;
      return first.title !== title || first.content !== content;
    });
    const ids = edited.map(({ id }) => id);
    await trx('knowledge_entries').whereIn('id', ids).update({ edited: true });
    last = rows.at(-1)?.id ?? last;
    more = rows.length > 0;
  }
}
