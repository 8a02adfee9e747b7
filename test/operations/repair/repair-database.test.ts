import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { unpackBackup } from '../../../src/operations/backup/unpack-backup.js';
import { repairDatabase } from '../../../src/operations/repair/repair-database.js';
import { openSqlite } from '../../../src/platform/db/open-sqlite.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { damages } from './damages.js';
import { DamagedWorld } from './damaged-world.js';
import { onSqlite } from '../../support/test-app.js';

onSqlite(describe)('Repairing a database', () => {
  const world = new DamagedWorld();
  before(() => world.build());
  const input = { configFile: undefined };

  it('finds nothing in an undamaged database and creates no backup', async () => {
    await world.withDamaged([], async (config) => {
      assert.deepEqual([...(await world.findings(config))], []);
      const { backup, kept, kinds } = await repairDatabase(config, input);
      assert.deepEqual([backup, kept, kinds], [null, null, []]);
    });
  });

  it('repairs all repairable damage at once after a backup, so that answers are the same as before', async () => {
    const all = Object.values(damages);
    await world.withDamaged(
      all.map(({ harm }) => harm),
      async (config) => {
        const found = await world.findings(config);
        assert.deepEqual(
          [...found.keys()].sort(),
          [...new Set(all.map(({ check }) => check))].sort(),
        );
        const damaged = await readFile(config.database.path);
        const rehearsed = await repairDatabase(config, { ...input, dryRun: true });
        assert.deepEqual([rehearsed.backup, rehearsed.kept], [null, null]);
        assert.deepEqual(
          await readFile(config.database.path),
          damaged,
          'a rehearsal changes nothing',
        );

        const repair = await repairDatabase(config, input);
        assert.deepEqual(repair.kinds, rehearsed.kinds);
        assert.deepEqual(repair.removed, rehearsed.removed);
        assert.deepEqual([...(await world.findings(config)).keys()], ['files']);
        const left = repair.kinds.flatMap((kind) => kind.left);
        assert.equal(left.length, 1);
        assert.match(left[0]?.remedy ?? '', /assistant ingest --force/);
        assert.ok(await world.answersAsBefore(config));

        const folder = await makeTemporaryFolder();
        try {
          const { database } = await unpackBackup(repair.backup ?? '', folder.path);
          const before = openSqlite(database, 1, []);
          const rows: unknown[] = await before('knowledge_entries').where({ title: 'Fact 21' });
          await before.destroy();
          assert.equal(rows.length, 1, 'the backup holds the damaged database');
        } finally {
          await folder.remove();
        }
      },
    );
  });

  it('moves texts that can’t stay in the database to a file that only its owner may read', async () => {
    const harms = [
      damages['an organization was deleted but its knowledge remains'],
      damages['a piece of a file has no batch'],
    ].flatMap((damage) => (damage === undefined ? [] : [damage.harm]));
    await world.withDamaged(harms, async (config) => {
      const { kept: file, removed, kinds } = await repairDatabase(config, input);
      const kept = file ?? '';
      assert.ok(kept.startsWith(`${config.database.path}.removed-`), JSON.stringify(kinds));
      assert.equal((await stat(kept)).mode & 0o777, 0o600);
      const lines = (await readFile(kept, 'utf8')).trimEnd().split('\n');
      const rows = lines.map(
        (line) => JSON.parse(line) as { table: string; row: Record<string, unknown> },
      );
      const entry = rows.find(({ table }) => table === 'knowledge_entries');
      assert.equal(entry?.row['content'], 'Other people wrote this.');
      const piece = rows.find(({ table }) => table === 'ingestion_uploads');
      assert.deepEqual(piece?.row['bytes'], { base64: Buffer.from('%PDF').toString('base64') });
      assert.ok(
        rows.every(({ table }) => table !== 'passages'),
        'passages are made of entries',
      );
      const counted = new Map<string, number>();
      for (const { table } of rows) counted.set(table, (counted.get(table) ?? 0) + 1);
      assert.deepEqual(Object.fromEntries(counted), removed);
    });
  });
});
