import assert from 'node:assert/strict';
import type { Database } from '../../../src/platform/db/database.js';
import { migrate, pendingMigrations } from '../../../src/platform/db/migrate.js';
import { migrations } from '../../../src/platform/db/migrations.js';
import { openPostgres } from '../../../src/platform/db/open-postgres.js';
import { schemaLevel } from '../../../src/platform/db/side-by-side.js';
import { sqliteDialect } from '../../../src/platform/db/sqlite-dialect.js';
import { indexFormat } from '../../../src/search/term-index/index-format.js';
import { serve, type RunningServer } from '../../../src/main/serve.js';
import { callApi } from '../../support/api-client.js';
import {
  createDatabase,
  startTestPostgres,
  type PostgresServer,
} from '../../support/postgres-server.js';
import { addOrganization, addUser, openTestApp, type TestApp } from '../../support/test-app.js';

const names = migrations(sqliteDialect).map(({ name }) => name);

describe('Programs of two versions at one database of PostgreSQL', () => {
  let server: PostgresServer;
  let test: TestApp;
  let running: RunningServer;

  before(async () => {
    server = await startTestPostgres();
  });
  after(() => server.stop());
  beforeEach(async () => {
    test = await openTestApp({}, undefined, undefined, server.url);
    running = await serve(test.app);
  });
  afterEach(async () => {
    await running.stop();
    await test.close();
  });

  const apply = async (name: string) =>
    test.app.db.write('schema_migrations').insert({ name, batch: 9 });
  const ready = async () => {
    const { status, body } = await callApi<{ checks: { database: string } }>(
      `${running.url}/health/ready`,
    );
    return [status, body.checks.database];
  };
  const afresh = async <T>(
    work: (db: Database) => Promise<T>,
    url = test.app.config.database.url,
  ) => {
    const db = openPostgres(url ?? '', 1);
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  };

  it('work side by side when the newer one has only added something', async () => {
    await apply('9999-add-a-table+');
    assert.deepEqual(await ready(), [200, 'ok']);
    await (await test.openAnother()).close();
    assert.deepEqual(await afresh(pendingMigrations), []);
  });

  it('are kept apart by any other change: each new connection of the older one is refused', async () => {
    await apply('9999-change-a-table');
    assert.deepEqual(await ready(), [503, 'is of a newer version']);
    for (const pool of ['read', 'write'] as const) {
      const refused = afresh(async (db) => db[pool]('organizations').pluck('id'));
      await assert.rejects(refused, { code: 'database_newer', message: /9999-change-a-table/ });
    }
    await assert.rejects(test.openAnother(), { code: 'database_newer' });
  });

  it('are told from each other by clients only for as long as an older server is asked', async () => {
    const { token } = await addUser(test, await addOrganization(test), 'user');
    await apply('9999-change-a-table');
    const end =
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = ? and pid <> pg_backend_pid()';
    const name = new URL(test.app.config.database.url ?? '').pathname.slice(1);
    const elsewhere = await createDatabase(server.url);
    await afresh(async (db) => {
      await db.write.raw(end, [name]);
    }, elsewhere.url);
    const ask = async () => {
      const reply = await fetch(`${running.url}/api/conversations`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      const { code } = (await reply.json()) as { code: string };
      return [reply.status, code, reply.headers.get('Retry-After')];
    };
    let reply = await ask();
    // A connection whose end the server has not seen yet breaks with the request.
    while (reply[1] === 'database_busy') reply = await ask();
    assert.deepEqual(reply, [503, 'database_newer', '5']);
  });

  it('change the database only once the older one is gone, whatever its address calls it', async () => {
    const empty = await createDatabase(server.url);
    const older = openPostgres(`${empty.url}?application_name=`, 1);
    const newer = openPostgres(`${empty.url}?application_name=mine`, 1);
    try {
      const app = { ...test.app, db: newer };
      for (const called of ['', 'assistant 0001']) {
        await older.read.raw(`set application_name = '${called}'`);
        await assert.rejects(migrate(app, ''), {
          code: 'conflict',
          message: /An older version of assistant is connected .* \(from 127\.0\.0\.1\)/,
        });
      }
      let reason = '';
      const migrated = migrate(app, '', {
        onWaiting(said) {
          reason = said;
          void older.close();
        },
      });
      assert.deepEqual((await migrated).applied, names);
      assert.match(reason, /Stop the servers, workers and commands/);
    } finally {
      await older.close();
      await newer.close();
      await empty.drop();
    }
  });

  it('wait for a change under way before they connect', async () => {
    const { db } = test.app;
    const connecting = await db.write.transaction(async (trx) => {
      assert.deepEqual(await db.dialect.keepOlderAway(trx, '0001'), []);
      const refused = (['read', 'write'] as const).map((pool) =>
        assert.rejects(
          afresh(async (db) => db[pool]('organizations').pluck('id')),
          { code: 'database_newer' },
        ),
      );
      const waits = db.read('pg_locks').where({ granted: false });
      while ((await waits.clone()).length < 2);
      await trx('schema_migrations').insert({ name: '9999-change', batch: 9 });
      return refused;
    });
    await Promise.all(connecting);
  });

  it('are told apart by the last migration that does more than add', () => {
    const dialect = { ...sqliteDialect };
    assert.match(schemaLevel({ dialect }), /^\d{4}$/);
    assert.deepEqual(
      names.filter((name) => !/^\d{4}-[a-z0-9-]+\+?$/.test(name)),
      [],
    );
    assert.deepEqual(names, names.toSorted());
  });

  it('never read a search index of another format: since format 4, a migration comes with each', () => {
    for (let format = 4; format <= indexFormat; format++) {
      assert.ok(
        names.some((name) => name.endsWith(`-make-search-index-${format}`)),
        `Format ${format} needs a migration that older programs refuse.`,
      );
    }
  });
});
