import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { openApp, type OpenedApp } from '../../../src/main/open-app.js';
import { inTransaction } from '../../../src/platform/db/in-transaction.js';
import { createOrganization } from '../../../src/tenancy/all-organizations.js';
import { addOrganization, onSqlite, openTestApp, type TestApp } from '../../support/test-app.js';
import { storeEntry } from '../../support/stored-entry.js';

describe('The database', () => {
  let test: TestApp;

  beforeEach(async () => {
    test = await openTestApp();
  });
  afterEach(() => test.close());

  const slugs = (app: OpenedApp): Promise<string[]> =>
    app.db.read('organizations').orderBy('id').pluck('slug');

  onSqlite(it)('uses a write-ahead log and foreign keys on every connection', async () => {
    for (const db of [test.app.db.read, test.app.db.write]) {
      assert.deepEqual(await db.raw('pragma journal_mode'), [{ journal_mode: 'wal' }]);
      assert.deepEqual(await db.raw('pragma foreign_keys'), [{ foreign_keys: 1 }]);
      assert.deepEqual(await db.raw('pragma busy_timeout'), [{ timeout: 10_000 }]);
    }
  });

  onSqlite(it)('moves what is written into its file soon, so that no commit has to', async () => {
    const { path } = test.app.config.database;
    const before = (await stat(path)).size;
    const text = 'x'.repeat(500_000);
    await test.app.db.write.raw('create table filled as select ? as text', [text]);
    while ((await stat(path)).size < before + text.length) await wait(100);
  });

  it('refuses a row without an existing owner, and deletes rows with their owner', async () => {
    const { operator, appId } = await addOrganization(test);
    const now = '2026-01-01T00:00:00.000Z';
    const orphan = { organization_id: 999, name: 'x', created_at: now, updated_at: now };
    await assert.rejects(test.app.db.write('apps').insert(orphan), /FOREIGN KEY/i);
    await test.app.db.write('organizations').where({ id: operator.organizationId }).delete();
    assert.equal(await test.app.db.read('apps').where({ id: appId }).first(), undefined);
    assert.deepEqual(await test.app.db.read('domains').select('*'), []);
  });

  it('refuses writes on a reading connection', async () => {
    await assert.rejects(test.app.db.read('organizations').delete(), /read-?only/);
    await assert.rejects(test.app.db.read('organizations').insert({ name: 'x' }), /read-?only/);
  });

  it('takes null characters out of texts, of a model for example', async () => {
    const { operator } = await addOrganization(test);
    const own = { id: operator.organizationId };
    await test.app.db.write('organizations').where(own).update({ name: 'A\u0000c\u0000me' });
    assert.deepEqual(await test.app.db.read('organizations').where(own).pluck('name'), ['Acme']);
  });

  it('stores all of a transaction or nothing, including the search index', async () => {
    const acme = await addOrganization(test);
    const failing = inTransaction(test.app, async (app) => {
      await createOrganization(app, { name: 'Lost' });
      await storeEntry({ app: { ...test.app, ...app } }, acme, { title: 'Lost', content: 'text' });
      assert.equal((await app.db.read('organizations').select('id')).length, 2);
      throw new Error('power cut');
    });
    await assert.rejects(failing, /power cut/);
    assert.deepEqual(await slugs(test.app), ['acme']);
    for (const table of ['passages', 'passage_features', 'passage_revisions', 'vocabulary']) {
      assert.deepEqual(await test.app.db.read(table).select('*'), [], table);
    }
  });

  it('makes an inner transaction part of the outer one', async () => {
    const failing = inTransaction(test.app, async (app) => {
      await inTransaction(app, (app) => createOrganization(app, { name: 'Inner' }));
      throw new Error('after the inner one');
    });
    await assert.rejects(failing, /after the inner one/);
    assert.deepEqual(await slugs(test.app), []);
  });

  it('shows readers nothing of a running transaction', async () => {
    await inTransaction(test.app, async (app) => {
      await createOrganization(app, { name: 'Acme' });
      assert.deepEqual(await slugs(test.app), []);
    });
    assert.deepEqual(await slugs(test.app), ['acme']);
  });

  it('loses no update if two programs read and then write at the same time', async () => {
    const other = await test.openAnother();
    try {
      await test.app.db.write.raw('create table counters (held integer not null)');
      await test.app.db.write('counters').insert({ held: 100 });
      const addOne = (app: OpenedApp) =>
        inTransaction(app, async (app) => {
          const row = await app.db.read<{ held: number }>('counters').first('held');
          await app.db.write('counters').update({ held: (row?.held ?? 0) + 1 });
        });
      await Promise.all(
        Array.from({ length: 200 }, (_, turn) => addOne(turn % 2 === 0 ? test.app : other)),
      );
      assert.deepEqual(await other.db.read('counters').pluck('held'), [300]);
    } finally {
      await other.close();
    }
  });

  onSqlite(it)(
    'reports that it is busy if another program locks it for longer than busy_timeout_ms',
    async () => {
      const hasty = await openApp({
        ...test.app.config,
        database: { ...test.app.config.database, busy_timeout_ms: 1 },
      });
      try {
        await inTransaction(test.app, async () => {
          await assert.rejects(
            inTransaction(hasty, () => Promise.resolve()),
            { code: 'database_busy' },
          );
        });
        await inTransaction(hasty, (app) => createOrganization(app, { name: 'After' }));
        assert.deepEqual(await slugs(test.app), ['after']);
      } finally {
        await hasty.close();
      }
    },
  );
});
