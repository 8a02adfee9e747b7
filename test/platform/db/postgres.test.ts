import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { sendMessage } from '../../../src/conversations/answering/running-answers.js';
import { walkConversationList } from '../../../src/conversations/read-conversations.js';
import type { OpenedApp } from '../../../src/main/open-app.js';
import { inTransaction } from '../../../src/platform/db/in-transaction.js';
import type { AppError } from '../../../src/platform/errors.js';
import { migrate, pendingMigrations } from '../../../src/platform/db/migrate.js';
import type { Database } from '../../../src/platform/db/database.js';
import { openPostgres } from '../../../src/platform/db/open-postgres.js';
import { startCutProxy, type CutProxy } from '../../support/cut-proxy.js';
import { visibilities } from '../../../src/platform/actor.js';
import { searchPassages } from '../../../src/search/search-passages.js';
import {
  createDatabase,
  startPostgres,
  startTestPostgres,
  type PostgresServer,
} from '../../support/postgres-server.js';
import type { News } from '../../../src/notifications/notification.js';
import { insertNotification } from '../../../src/notifications/notifications.repository.js';
import { storeEntry } from '../../support/stored-entry.js';
import { storeTalk } from '../../support/stored-talk.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';

describe('A database of PostgreSQL', () => {
  let server: PostgresServer;
  let test: TestApp;

  before(async () => {
    server = await startTestPostgres();
  });
  after(() => server.stop());
  beforeEach(async () => {
    test = await openTestApp({}, undefined, undefined, server.url);
  });
  afterEach(() => test.close());

  it('gets all migrations from one of several servers that start at once', async () => {
    const empty = await createDatabase(server.url);
    const dbs = [openPostgres(empty.url, 1), openPostgres(empty.url, 1)];
    try {
      const results = await Promise.all(dbs.map((db) => migrate({ ...test.app, db }, '')));
      const applied = results.map((result) => result.applied.length).filter((number) => number > 0);
      assert.equal(applied.length, 1);
      for (const db of dbs) assert.deepEqual(await pendingMigrations(db), []);
    } finally {
      for (const db of dbs) await db.close();
      await empty.drop();
    }
  });

  it('finds passages, and conversations by their words', async () => {
    const acme = await addOrganization(test);
    const content = 'You get a refund within 30 days of the purchase.';
    await storeEntry(test, acme, { title: 'Refunds', content, visibility: 'public' });
    const { organizationId } = acme.operator;
    const scope = { organizationId, appId: acme.appId, tiers: [...visibilities] };
    const text = 'When do I get my refund?';
    const { passages } = await searchPassages(test.app, { text, scope, limit: 5 });
    assert.deepEqual(
      passages.map(({ title }) => title),
      ['Refunds'],
    );
    const at = '2026-11-01T00:00:00.000Z';
    const talk = await storeTalk(test.app, { organizationId, at, question: 'Où est le CAFÉ-Bar?' });
    for (const [q, isFound] of [
      ['cafe', true],
      ['"bar est"', false],
      ['"est le"', true],
    ] as const) {
      const { items } = await walkConversationList(test.app, acme.operator, { q, limit: 5 });
      assert.deepEqual(
        items.map(({ id }) => id),
        isFound ? [talk.conversationId] : [],
        q,
      );
    }
  });

  it('repeats transactions that are in each other’s way, so that no update is lost', async () => {
    await count(4, () =>
      inTransaction(test.app, async (app) => {
        const row = await app.db.read<{ held: number }>('counters').first('held');
        await app.db.write('counters').update({ held: (row?.held ?? 0) + 1 });
      }),
    );
  });

  it('repeats single statements that are in each other’s way', async () => {
    await count(20, async () => {
      await test.app.db.write('counters').increment('held');
    });
  });

  /** Adds one to a row as often as `times`, all at once. */
  async function count(times: number, addOne: () => Promise<void>): Promise<void> {
    await test.app.db.write.raw('create table counters (held integer not null)');
    await test.app.db.write('counters').insert({ held: 100 });
    await Promise.all(Array.from({ length: times }, addOne));
    assert.deepEqual(await test.app.db.read('counters').pluck('held'), [100 + times]);
  }

  it('is busy when others were 25 times in a transaction’s way, or for ten seconds', async () => {
    let runs = 0;
    let now = 0;
    const refused = Object.assign(new Error('could not serialize'), { code: '40001' });
    const fail = async (tookMs: number) => {
      runs = 0;
      const failing = inTransaction(test.app, () => {
        runs++;
        now += tookMs;
        return Promise.reject(refused);
      });
      await assert.rejects(failing, { code: 'database_busy', cause: refused });
      return runs;
    };
    assert.equal(await fail(0), 25);
    const elapsed = mock.method(performance, 'now', () => now);
    try {
      assert.equal(await fail(4000), 3);
    } finally {
      elapsed.mock.restore();
    }
  });

  it('stores questions of others while a conversation waits for a lock', async () => {
    const [acme, other] = [await addOrganization(test), await addOrganization(test, 'Other')];
    const ask = ({ operator }: TestOrganization, conversationId?: string) =>
      sendMessage(test.app, operator, {
        ...{ message: 'When do I get a refund?', page: undefined, channel: 'api', conversationId },
      });
    const { conversationId: id } = await ask(acme);
    const change = await test.app.db.write.transaction();
    await change('conversations').where({ id }).update({ title: 'Held' });
    const held = ask(acme, id);
    await ask(other);
    await ask(other);
    await change.rollback();
    assert.equal((await held).conversationId, id);
  });

  it('lets no passage or notification appear after one with a higher id', async () => {
    const owners = [await addOrganization(test), await addOrganization(test, 'Globex')] as const;
    const text = { title: 'Tea', content: 'Tea is served at four.' };
    const recipient = { userId: null, endUserId: null, visitorId: 'v' };
    const adding = {
      passages: (app: OpenedApp, one: TestOrganization): Promise<unknown> =>
        storeEntry({ app }, one, { ...text, visibility: 'public' }),
      notifications: (
        app: OpenedApp,
        { operator: { organizationId } }: TestOrganization,
      ): Promise<unknown> =>
        insertNotification(app, {
          ...{ organizationId, recipient, appId: null, conversationId: null },
          ...{ kind: 'request_resolved', dedupeKey: String(organizationId), payload: {} as News },
        }),
    };
    for (const [table, add] of Object.entries(adding)) {
      const { read } = test.app.db;
      const organizations = async () => read(table).orderBy('id').pluck('organization_id');
      const [acme, globex] = owners.map(({ operator }) => operator.organizationId);
      const addFor = (one: TestOrganization) =>
        inTransaction(test.app, (app) => add({ ...test.app, ...app }, one));
      const { second, before } = await inTransaction(test.app, async (app) => {
        await add({ ...test.app, ...app }, owners[0]);
        const second = addFor(owners[1]);
        const waits = read('pg_locks').where({ granted: false }).first();
        while ((await waits.clone()) === undefined && (await organizations()).length === 0);
        return { second, before: await organizations() };
      });
      await second;
      assert.deepEqual([before, await organizations()], [[], [acme, globex]], table);
    }
  });

  it('answers counts and sums as exact numbers, or not at all', async () => {
    const { read } = test.app.db;
    const [row] = await read.raw<object[]>(
      `select count(*) as counted, sum(n) as summed, avg(n) as mean, true as yes, '\\x00ff'::bytea as bytes
       from (values (1), (2)) as numbers (n)`,
    );
    const bytes = Buffer.from([0, 255]);
    assert.deepEqual({ ...row }, { counted: 2, summed: 3, mean: 1.5, yes: true, bytes });
    await assert.rejects(async () => read.raw('select 9007199254740993 as long'), RangeError);
  });

  it('counts requests without conflicts between servers, whatever its user’s settings are', async () => {
    const settings = `select current_setting('transaction_isolation') as level,
      current_setting('synchronous_commit') as commits`;
    const [row] = (await test.app.db.aside?.raw<object[]>(settings)) ?? [];
    assert.deepEqual({ ...row }, { level: 'read committed', commits: 'off' });
  });

  describe('behind a network that swallows what is sent', () => {
    let proxy: CutProxy;
    let db: Database;

    beforeEach(async () => {
      const address = new URL((await createDatabase(server.url)).url);
      proxy = await startCutProxy(Number(address.port));
      address.port = String(proxy.port);
      db = openPostgres(address.href, 2, 1000);
    });
    afterEach(async () => {
      await proxy.stop();
      await db.close();
    });
    const isBusy = async (work: () => Promise<unknown>) => {
      const error = await work().then(
        () => undefined,
        (error: unknown) => error,
      );
      const { code } = db.dialect.troubleOf(error) ?? (error as AppError);
      assert.equal(code, 'database_busy', String(error));
    };

    it('ends queries that get no answer, and connects anew', async () => {
      for (const swallowed of ['present', 'all'] as const) {
        await db.write.raw('select 1');
        proxy.swallow(swallowed);
        await isBusy(async () => db.write.raw('select 1'));
      }
      await isBusy(() => inTransaction({ ...test.app, db }, ({ db }) => db.write.raw('select 1')));
      proxy.swallow('present');
      // The last attempt to connect may still be under way.
      while ((await db.write.raw('select 1').catch(() => undefined)) === undefined);
    });

    it('ends a transaction whose connection is lost in its middle', async () => {
      await isBusy(() =>
        inTransaction({ ...test.app, db }, async ({ db }) => {
          await db.write.raw('select 1');
          proxy.swallow('present');
          await db.write.raw('select 2');
        }),
      );
      await db.write.raw('select 3');
    });

    it('uses no other connection that was idle when one was lost', async () => {
      await Promise.all([1, 2].map(() => db.read.raw('select pg_sleep(0.1)').then()));
      proxy.swallow('present');
      await isBusy(async () => db.read.raw('select 1'));
      await db.read.raw('select 2');
    });

    it('waits for a query on which the server works for longer', async () => {
      const [row] = await db.write.raw<object[]>('select 1 as one from pg_sleep(3)');
      assert.deepEqual({ ...row }, { one: 1 });
    });
  });

  it('says of each way of losing a connection that it can be tried again, without the statement', async () => {
    const address = new URL((await createDatabase(server.url)).url);
    const proxy = await startCutProxy(Number(address.port));
    address.port = String(proxy.port);
    const db = openPostgres(address.href, 1, 300);
    const app = { ...test.app, db };
    const refusal = async (work: () => Promise<unknown>) => {
      const error = await work().then(
        () => undefined,
        (error: unknown) => error,
      );
      const { code, message, retryAfterSeconds } =
        db.dialect.troubleOf(error) ?? (error as AppError);
      assert.deepEqual([code, retryAfterSeconds], ['database_busy', 1], message);
      assert.doesNotMatch(message, /select|update|begin/i);
    };
    // Those of lost connections sleep on.
    const asleep = () => test.app.db.read('pg_stat_activity').where('query', 'select pg_sleep(60)');
    const sleep = async ({ db }: Pick<OpenedApp, 'db'>) => {
      const before = (await asleep()).length;
      const slept = db.write.raw('select pg_sleep(60)').then();
      while ((await asleep()).length === before);
      ends();
      await slept;
    };
    let ends = () => {};
    try {
      for (const isReset of [true, false]) {
        ends = () => proxy.cut(isReset);
        await refusal(() => sleep(app));
        await refusal(() => inTransaction(app, sleep));
        await refusal(() =>
          inTransaction(app, async ({ db }) => {
            await db.write.raw('select 1');
            ends();
            await db.write.raw('select 2');
          }),
        );
      }
    } finally {
      await db.close();
      await proxy.stop();
    }
  });

  it('can be tried again at a standby, which has all that was acknowledged once it is promoted', async () => {
    const primary = await startPostgres(true);
    const { url } = await createDatabase(primary.url);
    const standby = await primary.follow();
    const written = openPostgres(url, 1);
    const db = openPostgres(url.replace(primary.url, standby.url), 1);
    try {
      await written.write.raw('create table counters (held integer not null)');
      await written.write('counters').insert({ held: 7 });
      await primary.kill();
      for (const pool of ['read', 'write'] as const) {
        const asked = async () => db[pool]('counters').pluck('held');
        await assert.rejects(asked, { code: 'database_busy', retryAfterSeconds: 1 });
      }
      await standby.promote();
      await db.write('counters').increment('held');
      assert.deepEqual(await db.read('counters').pluck('held'), [8]);
    } finally {
      await Promise.all([written.close(), db.close()]);
      await Promise.all([primary.stop(), standby.stop()]);
    }
  });

  it('refuses writes on a reading connection, and rows without an owner', async () => {
    const { app } = test;
    await assert.rejects(app.db.read('organizations').delete(), { code: '25006' });
    const now = '2026-01-01T00:00:00.000Z';
    const orphan = { organization_id: 999, name: 'x', created_at: now, updated_at: now };
    const insert = async (app: Pick<OpenedApp, 'db'>) => app.db.write('apps').insert(orphan);
    await assert.rejects(inTransaction(app, insert), { code: 'not_found' });
  });
});
