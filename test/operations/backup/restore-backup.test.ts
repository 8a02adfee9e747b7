import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createUser } from '../../../src/accounts/users/create-user.js';
import { openApp } from '../../../src/main/open-app.js';
import { createBackup } from '../../../src/operations/backup/create-backup.js';
import { listBackups } from '../../../src/operations/backup/list-backups.js';
import { restoreBackup } from '../../../src/operations/backup/restore-backup.js';
import { examine } from '../../../src/operations/examine.js';
import { unpackBackup } from '../../../src/operations/backup/unpack-backup.js';
import { systemClock } from '../../../src/platform/clock.js';
import { configSchema, type Config } from '../../../src/platform/config/schema.js';
import { openSqlite } from '../../../src/platform/db/open-sqlite.js';
import { createOrganization } from '../../../src/tenancy/all-organizations.js';
import { listOrganizations } from '../../../src/tenancy/sites.repository.js';
import { craftArchive } from '../../support/archives.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

describe('Restoring a backup', () => {
  let folder: { path: string; remove(): Promise<void> };
  let config: Config;
  /** A backup with the organization Acme. Globex was added to the database after it. */
  let backup: string;

  beforeEach(async () => {
    folder = await makeTemporaryFolder();
    config = configFor('db.sqlite');
    const app = await openApp(config);
    await createOrganization(app, { name: 'Acme' });
    backup = (await createBackup(app, { configFile: undefined })).file;
    await createOrganization(app, { name: 'Globex' });
    await app.close();
  });
  afterEach(() => folder.remove());

  const file = (name: string) => join(folder.path, name);
  const configFor = (name: string) =>
    configSchema.parse({ database: { path: file(name) }, log: { level: 'silent' } });
  const restore = (path: string, options: { signal?: AbortSignal } = {}) =>
    restoreBackup(
      { config, clock: systemClock },
      { file: path, configFile: undefined, ...options },
    );
  const names = async (from = config) => {
    const app = await openApp(from);
    try {
      return (await listOrganizations(app)).map(({ name }) => name);
    } finally {
      await app.close();
    }
  };

  it('restores the content, and keeps the overwritten content as a backup', async () => {
    const restored = await restore(backup);
    assert.equal(restored.database, config.database.path);
    assert.deepEqual(await names(), ['Acme']);
    const before = restored.before?.file ?? '';
    const files = ['backups', 'db.sqlite', 'db.sqlite.last-backup'];
    assert.deepEqual((await readdir(folder.path)).sort(), files);
    assert.deepEqual(
      (await listBackups(config)).map((listed) => listed.file),
      [before, backup],
    );
    await restore(before);
    assert.deepEqual(await names(), ['Acme', 'Globex']);
  });

  it('creates a missing database, readable only by its owner', async () => {
    config = configFor('new/place.sqlite');
    const restored = await restore(backup);
    assert.equal(restored.before, null);
    assert.equal((await stat(config.database.path)).mode & 0o077, 0);
    assert.deepEqual(await names(), ['Acme']);
  });

  it('is refused while the database is open', async () => {
    const app = await openApp(config);
    try {
      await assert.rejects(restore(backup), {
        code: 'conflict',
        message: /Another process has .*db\.sqlite open\. Stop assistant serve/,
      });
      assert.equal((await listOrganizations(app)).length, 2);
    } finally {
      await app.close();
    }
    assert.deepEqual(
      (await listBackups(config)).map((listed) => listed.file),
      [backup],
    );
    await restore(backup);
    assert.deepEqual(await names(), ['Acme']);
  });

  it('gives a process that waits for the database the restored content, and keeps what it writes', async () => {
    let waiting: Promise<void> | undefined;
    await restoreBackup(
      { config, clock: systemClock },
      {
        ...{ file: backup, configFile: undefined },
        onProgress: (step) => {
          if (step !== 'restoring') return;
          waiting ??= openApp(config).then(async (app) => {
            await createOrganization(app, { name: 'Initech' });
            await app.close();
          });
        },
      },
    );
    assert.ok(waiting !== undefined);
    await waiting;
    assert.deepEqual(await names(), ['Acme', 'Initech']);
  });

  it('changes nothing if it is stopped, or if the backup is damaged or of a newer version', async () => {
    const bytes = await readFile(backup);
    await writeFile(file('damaged.gz'), bytes.subarray(0, bytes.length - 20));
    await assert.rejects(restore(file('damaged.gz')), { code: 'damaged_backup' });

    const manifest = { format: 'assistant-backup', format_version: 2 };
    const newer = await craftArchive([
      { name: 'manifest.json', content: JSON.stringify(manifest) },
    ]);
    await writeFile(file('newer.gz'), newer);
    await assert.rejects(restore(file('newer.gz')), { code: 'database_newer' });

    const { database } = await unpackBackup(backup, folder.path);
    const db = openSqlite(database, 1, []);
    const row = { name: '9999-from-the-future', batch: 9, migration_time: 0 };
    await db('schema_migrations').insert(row);
    await db.destroy();
    await assert.rejects(restore(database), {
      code: 'database_newer',
      message: /9999-from-the-future.*Upgrade/,
    });
    const stop = new AbortController();
    stop.abort(new Error('Ctrl-C'));
    await assert.rejects(restore(backup, { signal: stop.signal }), /Ctrl-C/);
    assert.deepEqual(await names(), ['Acme', 'Globex']);
    assert.deepEqual(
      (await listBackups(config)).map((listed) => listed.file),
      [backup],
    );
  });

  it('is rolled back if it is stopped in the middle of overwriting', async () => {
    const stop = new AbortController();
    const stopped = restoreBackup(
      { config, clock: systemClock },
      {
        ...{ file: await large(), configFile: undefined, signal: stop.signal },
        onProgress: (step, done, total) => {
          if (step === 'restoring' && done < total) stop.abort(new Error('Ctrl-C'));
        },
      },
    );
    await assert.rejects(stopped, /Ctrl-C/);
    assert.deepEqual(await names(), ['Acme', 'Globex']);
  });

  it('sets an unreadable database aside, together with its write-ahead log', async () => {
    await writeFile(config.database.path, 'overwritten by accident'.repeat(1000));
    await writeFile(`${config.database.path}-wal`, 'its log');
    const { before, setAside } = await restore(backup);
    assert.equal(before, null);
    assert.match(setAside ?? '', /db\.sqlite\.damaged-/);
    assert.match(await readFile(setAside ?? '', 'utf8'), /^overwritten by accident/);
    assert.equal(await readFile(`${setAside ?? ''}-wal`, 'utf8'), 'its log');
    assert.deepEqual(await names(), ['Acme']);
  });

  it('sets a database with damaged pages aside', async () => {
    const bytes = await readFile(config.database.path);
    bytes.fill(0x5a, 8192, bytes.length - 8192);
    await writeFile(config.database.path, bytes);
    const { before, setAside } = await restore(backup);
    assert.equal(before, null);
    assert.ok(setAside !== null && (await readFile(setAside)).equals(bytes));
    assert.deepEqual(await names(), ['Acme']);
  });

  it('accepts the copy that was made before a migration, and reports the pending migrations', async () => {
    const db = openSqlite(config.database.path, 1, []);
    await db.raw("delete from schema_migrations where name = '0029-claim-answers'");
    await db.raw('drop table running_answers');
    await db.destroy();
    // The start copies the database and migrates it.
    await names();
    const listed = (await listBackups(config)).find(({ form }) => form === 'database');
    const copy = listed?.file ?? '';
    assert.match(copy, /before-migration-/);
    assert.equal((await stat(copy)).mode & 0o077, 0);
    const { pending } = await restore(copy);
    assert.deepEqual(pending, ['0029-claim-answers']);
    assert.deepEqual(await names(), ['Acme', 'Globex']);
  });

  it('accepts a backup with broken references, and reports them', async () => {
    const db = openSqlite(config.database.path, 1, ['pragma foreign_keys = off']);
    const at = new Date().toISOString();
    try {
      await db('apps').insert({
        ...{ organization_id: 999, name: 'Of nobody', created_at: at, updated_at: at },
      });
    } finally {
      await db.destroy();
    }
    const made = await createBackup({ config, clock: systemClock }, { configFile: undefined });
    const { astray } = await restore(made.file);
    assert.deepEqual(astray, ['a row of apps refers to none of organizations']);
    assert.deepEqual(await names(), ['Acme', 'Globex']);
    const checks = await examine(config, undefined, { quick: true });
    const found = checks.find(({ name }) => name === 'references');
    assert.deepEqual([found?.status, found?.finding], ['warning', astray[0]]);
  });

  it('refuses a database file that is in use', async () => {
    config = configFor('other.sqlite');
    await names();
    const app = await openApp(configFor('db.sqlite'));
    try {
      await createUser(
        app,
        { kind: 'operator', organizationId: 1 },
        {
          ...{ email: 'ada@acme.example', password: 'correct horse', role: 'admin' },
        },
      );
      assert.ok(existsSync(file('db.sqlite-wal')));
      await assert.rejects(restore(file('db.sqlite')), { code: 'conflict', message: /in use/ });
    } finally {
      await app.close();
    }
  });

  /** A backup of about 20 MB, so that overwriting takes several steps. */
  async function large(): Promise<string> {
    const other = configFor('large.sqlite');
    await names(other);
    const db = openSqlite(other.database.path, 1, []);
    await db.raw('create table filler (id integer primary key, bytes blob)');
    await db.raw(
      `insert into filler (bytes) with recursive n(i) as (select 1 union all select i + 1 from n where i < 20)
       select zeroblob(1000000) from n`,
    );
    await db.destroy();
    const made = await createBackup(
      { config: other, clock: systemClock },
      { configFile: undefined, file: file('large.tar.gz') },
    );
    await rm(other.database.path);
    return made.file;
  }
});
