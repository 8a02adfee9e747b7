import assert from 'node:assert/strict';
import { join } from 'node:path';
import { stateSources } from '../../../src/platform/db/migrations/0046-state-sources.js';
import { openSqlite } from '../../../src/platform/db/open-sqlite.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

describe('The migration that adds sources to batches', () => {
  it('keeps the identity of documents, and stores the folder of their files if it is known', async () => {
    const folder = await makeTemporaryFolder();
    const db = openSqlite(join(folder.path, 'old.sqlite'), 1, []);
    try {
      await db.schema.createTable('ingestion_batches', (table) => {
        table.string('id').primary();
        table.integer('organization_id');
        table.string('document');
        table.string('file_name');
        table.string('source_path');
      });
      const files = [
        ['a', 'index.pdf', '/srv/manuals/index.pdf'],
        ['b', 'old - b.pdf', '/srv/manuals/old/b.pdf'],
        ['c', 'renamed.pdf', '/srv/manuals/c.pdf'],
        ['d', 'uploaded.pdf', null],
      ];
      for (const [id, file_name, source_path] of files) {
        const document = `app:1/${file_name ?? ''}`;
        await db('ingestion_batches').insert({ id, document, file_name, source_path });
      }
      await db.transaction(stateSources);
      const rows = await db<Record<string, unknown>>('ingestion_batches').orderBy('id');
      assert.deepEqual(
        rows.map(({ document, source, folder }) => [document, source, folder]),
        [
          ['app:1/index.pdf', null, 'manuals'],
          ['app:1/old - b.pdf', null, 'manuals'],
          ['app:1/renamed.pdf', null, null],
          ['app:1/uploaded.pdf', null, null],
        ],
      );
    } finally {
      await db.destroy();
      await folder.remove();
    }
  });
});
