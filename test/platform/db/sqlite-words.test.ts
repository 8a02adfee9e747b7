import assert from 'node:assert/strict';
import { ownerSign } from '../../../src/platform/db/sqlite-dialect.js';
import { onSqlite, openTestApp } from '../../support/test-app.js';

onSqlite(describe)('The word index of messages', () => {
  it('is written and searched with the same mark before the organization', async () => {
    const test = await openTestApp();
    try {
      const writers = await test.app.db
        .read<{ sql: string }>('sqlite_master')
        .where('sql', 'like', '%char(%) || %organization_id%')
        .pluck<string[]>('sql');
      const signs = new Set(
        writers.flatMap((sql) =>
          [...sql.matchAll(/\bchar\((\d+)\) \|\|/g)].map((match) => match[1]),
        ),
      );
      assert.deepEqual([...signs], [String(ownerSign.codePointAt(0))]);
      assert.ok(writers.length >= 5, 'the view and four triggers write it');
    } finally {
      await test.close();
    }
  });
});
