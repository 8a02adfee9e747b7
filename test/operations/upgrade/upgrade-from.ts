import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openApp } from '../../../src/main/open-app.js';
import { restoreBackup } from '../../../src/operations/backup/restore-backup.js';
import { examineDatabase } from '../../../src/operations/examine-database.js';
import { rehearseUpgrade } from '../../../src/operations/upgrade/rehearse-upgrade.js';
import { upgradeDatabase } from '../../../src/operations/upgrade/upgrade-database.js';
import { systemClock } from '../../../src/platform/clock.js';
import { configSchema } from '../../../src/platform/config/schema.js';
import { openDatabase } from '../../../src/platform/db/open-database.js';
import { openSqlite } from '../../../src/platform/db/open-sqlite.js';
import { searchPassages } from '../../../src/search/search-passages.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { dump, fillTables, knowledge, migrateTo, names } from './older-database.js';

/** Tables with data of people. No row or value of them may change; only columns may be added. */
const written = [
  ...['organizations', 'apps', 'domains', 'users', 'ingestion_batches', 'ingestion_uploads'],
  ...['knowledge_entries', 'knowledge_entry_versions', 'passages', 'end_users', 'conversations'],
  ...['messages', 'message_feedback', 'knowledge_requests', 'notifications', 'quotas'],
  ...['usage_events', 'audit_log', 'api_tokens', 'widget_keys', 'widget_secrets', 'signing_keys'],
];

/**
 * Fills a database of an earlier schema, upgrades it as an admin does, checks it, and restores the
 * copy that was made before.
 */
export async function upgradeFrom(schema: string): Promise<void> {
  const folder = await makeTemporaryFolder();
  const path = join(folder.path, 'assistant.sqlite');
  const config = configSchema.parse({
    database: { path },
    log: { level: 'silent' },
    ollama: { url: 'http://127.0.0.1:9' },
  });
  const read = async () => {
    const db = openSqlite(path, 1, []);
    try {
      return await dump(db);
    } finally {
      await db.destroy();
    }
  };
  try {
    const older = await openDatabase(config.database);
    try {
      await migrateTo(older, schema);
      await fillTables(older.write);
    } finally {
      await older.close();
    }
    const before = await read();

    const rehearsal = await rehearseUpgrade(config, folder.path, {});
    assert.equal(rehearsal.failure, null);
    assert.deepEqual(await read(), before, 'a rehearsal changes nothing');
    const { applied, backup } = await upgradeDatabase(config);
    const expected = names.slice(names.indexOf(schema) + 1);
    assert.deepEqual(
      applied.filter((name) => name !== 'search-index'),
      expected,
    );
    assert.deepEqual(
      rehearsal.migrations.map(({ name }) => name),
      expected,
    );
    const after = await read();
    for (const table of written) {
      const rows = before[table]?.map((row) => JSON.parse(row) as Record<string, unknown>) ?? [];
      const found = after[table]?.map((row) => JSON.parse(row) as Record<string, unknown>) ?? [];
      assert.equal(found.length, rows.length, table);
      for (const [index, row] of rows.entries()) {
        const same = Object.keys(row).filter((column) => column in (found[index] ?? {}));
        const values = same.map((column) => [column, found[index]?.[column]]);
        assert.deepEqual(Object.fromEntries(values), row, table);
      }
    }
    const checks = await examineDatabase(config, {});
    assert.deepEqual(
      checks.filter(({ status }) => status !== 'ok'),
      [],
    );
    const app = await openApp(config);
    try {
      const scope = { organizationId: 1, appId: undefined, tiers: ['public' as const] };
      const { passages } = await searchPassages(app, { text: 'pump oil', scope, limit: 5 });
      if (before['passages']?.length === 1) assert.equal(passages[0]?.title, knowledge.title);
    } finally {
      await app.close();
    }
    if (expected.length === 0) return;
    assert.ok(backup !== null);
    const restored = await restoreBackup(
      { config, clock: systemClock },
      { file: backup, configFile: undefined },
    );
    assert.deepEqual(restored.pending, expected);
    assert.deepEqual(await read(), before, 'every row is what it was');
  } finally {
    await folder.remove();
  }
}
