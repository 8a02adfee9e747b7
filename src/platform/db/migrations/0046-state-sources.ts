import type { Knex } from 'knex';

/**
 * The source of a document, where one was stated, and the folder that its file lay in. Documents that were ingested
 * before keep their identity: no source is stated for them.
 */
export async function stateSources(trx: Knex): Promise<void> {
  await trx.schema.alterTable('ingestion_batches', (table) => {
    table.string('source', 100);
    // As it was named, without what differs from one checkout to the next. Null: unknown.
    table.string('folder', 255);
  });
  await trx.raw(
    `create index ingestion_batches_source on ingestion_batches (organization_id, source, document)
     where source is not null`,
  );
  await fillFolders(trx);
}

interface Row {
  id: string;
  file_name: string;
  source_path: string;
}

/** Of files of the command line, the folder is the part of the path before the place that the name tells. */
async function fillFolders(trx: Knex): Promise<void> {
  for (let after = ''; ;) {
    const rows: Row[] = await trx('ingestion_batches')
      .whereNotNull('source_path')
      .where('id', '>', after)
      .orderBy('id')
      .limit(500)
      .select('id', 'file_name', 'source_path');
    for (const { id, file_name, source_path } of rows) {
      const path = source_path.split(/[/\\]/).join('/');
      const place = `/${file_name.split(' - ').join('/')}`;
      const folder = path.endsWith(place) ? path.slice(0, -place.length).split('/').at(-1) : '';
      if (folder === undefined || folder === '') continue;
      await trx('ingestion_batches')
        .where({ id })
        .update({ folder: folder.slice(-255) });
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
