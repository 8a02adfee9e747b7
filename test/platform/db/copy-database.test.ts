import assert from 'node:assert/strict';
import { copyDatabase } from '../../../src/platform/db/copy-database.js';
import type { Database } from '../../../src/platform/db/database.js';
import { migrate, pendingMigrations } from '../../../src/platform/db/migrate.js';
import { openPostgres } from '../../../src/platform/db/open-postgres.js';
import { openDatabase } from '../../../src/platform/db/open-database.js';
import { visibilities } from '../../../src/platform/actor.js';
import { systemClock } from '../../../src/platform/clock.js';
import { searchPassages } from '../../../src/search/search-passages.js';
import {
  createDatabase,
  startPostgres,
  type PostgresServer,
} from '../../support/postgres-server.js';
import { storeEntry } from '../../support/stored-entry.js';
import { storeTalk } from '../../support/stored-talk.js';
import { addOrganization, openTestApp, type TestApp } from '../../support/test-app.js';
import { join } from 'node:path';

describe('A copy of a database', () => {
  let server: PostgresServer;
  let test: TestApp;
  const opened: Database[] = [];

  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  beforeEach(async () => {
    // Of SQLite, whatever the other tests run on.
    test = await openTestApp({}, undefined, undefined, '');
  });
  afterEach(async () => {
    for (const db of opened.splice(0)) await db.close();
    await test.close();
  });

  const emptyPostgres = async () => {
    const { url } = await createDatabase(server.url);
    return kept(openPostgres(url, 1));
  };
  const emptyFile = () => open(join(test.folder, 'other.sqlite'));
  const open = async (path: string) =>
    kept(await openDatabase({ ...test.app.config.database, path, readers: 1 }));
  const kept = async (db: Database) => {
    opened.push(db);
    if (db.dialect.name === 'postgres' || (await pendingMigrations(db)).length > 0) {
      await migrate({ db, clock: systemClock }, '', { copies: false });
    }
    return db;
  };

  it('has every row, finds the same, and gives no number twice, on either engine', async () => {
    const acme = await addOrganization(test);
    const { organizationId } = acme.operator;
    for (let number = 1; number <= 30; number++) {
      const content = `Sentence ${number}: a refund of order ${number} takes ${number} days.`;
      await storeEntry(test, acme, { title: `Order ${number}`, content, visibility: 'public' });
    }
    await storeTalk(test.app, { organizationId, at: '2026-11-01T00:00:00.000Z', question: 'Why?' });
    const last = await storeEntry(test, acme, { title: 'Gone', content: 'Gone.' });
    await test.app.db.write('knowledge_entries').where({ id: last.id }).delete();
    // As older versions stored it. PostgreSQL has no NUL in texts.
    await test.app.db.write.raw('update organizations set name = name || char(0)');
    const found = (db: Database) =>
      searchPassages(
        { ...test.app, db },
        {
          text: 'refund of order 7',
          scope: { organizationId, appId: acme.appId, tiers: [...visibilities] },
          limit: 20,
        },
      );
    const expected = await found(test.app.db);
    assert.equal(expected.passages.length, 20);

    const source = await open(test.app.config.database.path);
    const postgres = await emptyPostgres();
    const tables = await copyDatabase(source, postgres);
    assert.equal(tables.find(({ table }) => table === 'knowledge_entries')?.rows, 30);
    const file = await emptyFile();
    assert.deepEqual(await copyDatabase(postgres, file), tables);
    for (const db of [postgres, file]) {
      assert.deepEqual((await found(db)).passages, expected.passages);
      assert.deepEqual(await pendingMigrations(db), []);
      const app = { ...test.app, db };
      const next = await storeEntry({ app }, acme, { title: 'New', content: 'New.' });
      assert.ok(next.id > last.id, `${next.id} after ${last.id}`);
      // The triggers that count run again.
      const [row] = (await db.read('knowledge_entries').count({ rows: '*' })) as [{ rows: number }];
      assert.equal(row.rows, 31);
    }
  });

  it('goes on where it was stopped, can’t be opened before, and never adds to other content', async () => {
    const acme = await addOrganization(test);
    for (let number = 1; number <= 60; number++) {
      await storeEntry(test, acme, { title: `Entry ${number}`, content: `Text ${number}.` });
    }
    const source = await open(test.app.config.database.path);
    for (const target of [await emptyPostgres(), await emptyFile()]) {
      for (const stopAfter of [1, 30, 100]) {
        const stop = new AbortController();
        const copying = copyDatabase(source, target, {
          signal: stop.signal,
          onProgress: (done) => (done >= stopAfter ? stop.abort(new Error('stopped')) : null),
        });
        await assert.rejects(copying, /stopped/);
        await assert.rejects(pendingMigrations(target), /holds a part of a copy/);
      }
      const tables = await copyDatabase(source, target);
      assert.equal(tables.find(({ table }) => table === 'knowledge_entries')?.rows, 60);
      assert.deepEqual(await pendingMigrations(target), []);
      await assert.rejects(copyDatabase(source, target), /already holds an organization/);
    }
  });

  it('that differs from its source is refused, also after the source has changed between two runs', async () => {
    await addOrganization(test);
    const source = await open(test.app.config.database.path);
    const target = await emptyPostgres();
    const stop = new AbortController();
    const onProgress = (done: number) => (done > 0 ? stop.abort(new Error('stopped')) : undefined);
    await assert.rejects(
      copyDatabase(source, target, { signal: stop.signal, onProgress }),
      /stopped/,
    );
    await test.app.db.write('apps').update({ name: 'Changed' });
    await assert.rejects(copyDatabase(source, target), /The copy of apps is not the same/);
    await test.app.db.write('apps').delete();
    await assert.rejects(copyDatabase(source, target), /0 rows are to be copied, and 1 were/);
    // As PostgreSQL does with some tables when it crashes.
    await target.write('apps').delete();
    await copyDatabase(source, target);
  });
});
