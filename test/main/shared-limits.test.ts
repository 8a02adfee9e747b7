import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { OpenedApp } from '../../src/main/open-app.js';
import { serve, type RunningServer } from '../../src/main/serve.js';
import { callApi } from '../support/api-client.js';
import { startTestPostgres, type PostgresServer } from '../support/postgres-server.js';
import { addOrganization, addUser, openTestApp, type TestApp } from '../support/test-app.js';

describe('The request limits of two servers on one database of PostgreSQL', () => {
  let postgres: PostgresServer;
  let test: TestApp;
  let other: OpenedApp;
  let servers: RunningServer[];

  before(async () => {
    postgres = await startTestPostgres();
  });
  after(() => postgres.stop());
  const open = async (limits: Record<string, number>) => {
    test = await openTestApp(
      { limits, ingestion: { worker: false } },
      undefined,
      undefined,
      postgres.url,
    );
    other = await test.openAnother();
    servers = [await serve(test.app), await serve(other)];
  };
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await other.close();
    await test.close();
  });
  const page = '/api/knowledge/page?url=https://acme.example/';
  const call = (server: number, path = page, options = {}) =>
    callApi(`${servers[server]?.url}${path}`, options);
  const statusesOf = async (order: number[], path = page, options = {}) => {
    const all: number[] = [];
    for (const server of order) all.push((await call(server, path, options)).status);
    return all;
  };

  it('allow both together what one server would allow, and say what remains of it', async () => {
    await open({ address_per_minute: 4 });
    const remaining: (string | null)[] = [];
    for (const server of [0, 1, 1, 0]) {
      const { status, headers } = await call(server);
      assert.equal(status, 200);
      remaining.push(headers.get('ratelimit-remaining'));
    }
    assert.deepEqual(remaining, ['3', '2', '1', '0']);
    for (const server of [0, 1]) {
      const { status, headers } = await call(server);
      assert.equal(status, 429);
      // One more after each quarter of a minute. Some of it may have passed.
      assert.match(headers.get('retry-after') ?? '', /^(?:[1-9]|1[0-5])$/);
    }
  });

  it('allow requests that arrive at once as often as requests in turn', async () => {
    await open({ address_per_minute: 10 });
    const all = await Promise.all(Array.from({ length: 60 }, (_, index) => call(index % 2)));
    assert.equal(all.filter(({ status }) => status === 200).length, 10);
  });

  it('allow what was counted without a wait no more often either', async () => {
    await open({ address_per_minute: 200 });
    const all = await Promise.all(Array.from({ length: 500 }, (_, index) => call(index % 2)));
    const allowed = all.filter(({ status }) => status === 200).length;
    // Three more are allowed each second.
    assert.ok(allowed >= 200 && allowed < 300, `${allowed} were allowed`);
  });

  it('count users and their questions at all servers', async () => {
    await open({ user_per_minute: 4, messages_per_minute: 2 });
    const { token } = await addUser(test, await addOrganization(test), 'user');
    const body = { message: 'Is it cleaned?', context: { url: 'https://a.example/', title: '' } };
    const ask = { token, body };
    assert.deepEqual(
      await statusesOf([0, 1, 0], '/api/conversations/message', ask),
      [200, 200, 429],
    );
    assert.deepEqual(await statusesOf([1, 0], '/api/conversations', { token }), [200, 429]);
  });

  it('remember whom they refused, without another question to the database', async () => {
    await open({ address_per_minute: 2 });
    assert.deepEqual(await statusesOf([0, 1, 0, 1]), [200, 200, 429, 429]);
    await test.app.db.write('request_limits').delete();
    assert.deepEqual(await statusesOf([0, 1]), [429, 429]);
  });

  it('do not wait for a locked table: each server then allows its share', async () => {
    await open({ address_per_minute: 9 });
    await call(0);
    while ((await test.app.db.read('request_limits').whereLike('counted', 'server %')).length < 1)
      await setImmediate();
    // The second one is answered once the servers are counted.
    await call(1);
    await call(1);
    other.config.limits.database_wait_ms = 1;
    const trx = await test.app.db.write.transaction();
    await trx.raw('lock table request_limits in access exclusive mode');
    // Three of the nine were allowed. Of the others, each counts as two.
    const answers = await statusesOf([1, 1, 1, 1]);
    await trx.rollback();
    assert.deepEqual(answers, [200, 200, 200, 429]);
  });

  it('delete what no longer counts', async () => {
    await open({ address_per_minute: 6 });
    const row = { counted: 'a', interval_ms: 1, allowed: 1, full_at: Date.now() - 1000 };
    await test.app.db.write('request_limits').insert(row);
    await call(0);
    const left = () => test.app.db.read('request_limits').where({ counted: 'a' });
    while ((await left()).length > 0) await setImmediate();
  });
});

describe('The request limits of one process with its own file', () => {
  it('are counted in its memory alone', async () => {
    const test = await openTestApp({ limits: { address_per_minute: 2 } }, undefined, undefined, '');
    const server = await serve(test.app);
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++)
      statuses.push((await callApi(`${server.url}/api/nothing`)).status);
    assert.deepEqual(statuses, [404, 404, 429]);
    assert.deepEqual(await test.app.db.read('request_limits'), []);
    await server.stop();
    await test.close();
  });
});
