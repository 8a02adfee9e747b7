import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { callApi } from '../support/api-client.js';
import { connectTo } from '../support/raw-http.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import { addWidgetKey } from '../support/widget-keys.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type ConfigInput,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('The request limits', () => {
  let clock: TestClock;
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  const page = '/api/knowledge/page?url=https://acme.example/';
  const ask = { message: 'How is it cleaned?', context: { url: 'https://a.example/', title: '' } };

  const open = async (config: ConfigInput) => {
    clock = createTestClock();
    test = await serveTestApp(config, clock);
    acme = await addOrganization(test);
  };
  afterEach(() => test.close());
  /** Lets the time pass, for a database with a clock of its own too. */
  const pass = async (ms: number) => {
    clock.advance(ms);
    await test.app.db.write('request_limits').decrement('full_at', ms);
  };
  const call = (path: string, options = {}) => callApi(`${test.url}${path}`, options);
  const statuses = async (times: number, path: string, options = {}) => {
    const all: number[] = [];
    for (let time = 0; time < times; time++) all.push((await call(path, options)).status);
    return all;
  };

  it('refuse the next request of an address with a problem that says when to try again', async () => {
    await open({ limits: { address_per_minute: 3 } });
    for (const remaining of ['2', '1', '0']) {
      const { status, headers } = await call(page);
      assert.equal(status, 200);
      assert.equal(headers.get('ratelimit-policy'), '"address";q=3;w=60');
      assert.equal(headers.get('ratelimit-limit'), '3');
      assert.equal(headers.get('ratelimit-remaining'), remaining);
    }
    const { status, headers, body } = await call(page);
    assert.deepEqual([status, body.code], [429, 'rate_limited']);
    assert.equal(headers.get('content-type'), 'application/problem+json');
    assert.equal(headers.get('retry-after'), '20');
    assert.equal(headers.get('ratelimit'), '"address";r=0;t=60');
    assert.equal(headers.get('ratelimit-reset'), '60');
    assert.match(body.detail, /Try again in 20 s/);
    await pass(20_000);
    assert.equal((await call(page)).status, 200);
  });

  it('count unknown paths, wrong methods and invalid credentials for the address too', async () => {
    await open({ limits: { address_per_minute: 3 } });
    assert.equal((await call('/nothing')).status, 404);
    assert.equal((await call(page, { token: 'wrong' })).status, 401);
    assert.equal((await call('/api/auth/login')).status, 405);
    assert.deepEqual(await statuses(1, '/nothing'), [429]);
  });

  it('do not apply to health checks and metrics', async () => {
    await open({ limits: { address_per_minute: 1 } });
    assert.deepEqual(await statuses(2, page), [200, 429]);
    assert.deepEqual(await statuses(3, '/health/live'), [200, 200, 200]);
    const { status, headers } = await call('/metrics');
    assert.equal(status, 200);
    assert.equal(headers.get('ratelimit'), null);
  });

  it('use X-Forwarded-For only behind a trusted proxy', async () => {
    await open({ limits: { address_per_minute: 1 } });
    const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
    assert.equal((await call(page, from('203.0.113.1'))).status, 200);
    assert.equal((await call(page, from('203.0.113.2'))).status, 429);
    await test.close();
    await open({ limits: { address_per_minute: 1 }, server: { trust_proxy: 1 } });
    assert.equal((await call(page, from('203.0.113.1'))).status, 200);
    assert.equal((await call(page, from('203.0.113.2'))).status, 200);
    assert.equal((await call(page, from('203.0.113.9, 203.0.113.2'))).status, 429, 'forged');
  });

  it('count all tokens of a user together, separately from other callers', async () => {
    await open({ limits: { user_per_minute: 2 } });
    const ada = await addUser(test, acme, 'user');
    const bob = await addUser(test, acme, 'backoffice');
    const login = await callApi<{ token: string }>(`${test.url}/api/auth/login`, {
      body: { email: ada.email, password: ada.password },
    });
    const list = '/api/conversations';
    assert.equal((await call(list, { token: ada.token })).status, 200);
    const { headers } = await call(list, { token: login.body.token });
    assert.equal(headers.get('ratelimit'), '"user";r=0;t=60');
    assert.equal((await call(list, { token: ada.token })).status, 429);
    assert.equal((await call(list, { token: bob.token })).status, 200);
    assert.equal((await call(page)).status, 200, 'a caller without a credential');
  });

  it('count the keys of one app together', async () => {
    await open({ limits: { key_per_minute: 2 } });
    const other = await addOrganization(test, 'Other');
    const first = await addWidgetKey(test, acme, 'public');
    const second = await addWidgetKey(test, acme, 'authenticated');
    assert.deepEqual(await statuses(1, page, { key: first }), [200]);
    assert.deepEqual(await statuses(2, page, { key: second }), [200, 429]);
    const foreign = await addWidgetKey(test, other, 'public');
    assert.deepEqual(await statuses(1, page, { key: foreign }), [200]);
  });

  it('are stricter for questions and uploads, including refused ones', async () => {
    await open({ limits: { user_per_minute: 10, messages_per_minute: 2, uploads_per_minute: 1 } });
    const { token } = await addUser(test, acme, 'backoffice');
    const message = '/api/conversations/message';
    const { status, headers } = await call(message, { token, body: ask });
    assert.equal(status, 200);
    assert.equal(headers.get('ratelimit-policy'), '"user";q=10;w=60, "message";q=2;w=60');
    assert.equal(headers.get('ratelimit'), '"user";r=9;t=6, "message";r=1;t=30');
    assert.equal(headers.get('ratelimit-limit'), '2', 'the tightest');
    assert.equal((await call(message, { token, body: {} })).status, 400);
    assert.equal((await call(message, { token, body: ask })).status, 429);
    const upload = { token, method: 'POST' };
    assert.deepEqual(await statuses(2, '/api/knowledge/ingest-pdf', upload), [400, 429]);
    assert.equal((await call('/api/conversations', { token })).status, 200);
  });

  describe('for a caller who was refused before', () => {
    const message = '/api/conversations/message';

    it('refuse the same operation again before reading the body and checking the credential', async () => {
      await open({ limits: { messages_per_minute: 1 } });
      const { id, token } = await addUser(test, acme, 'user');
      assert.deepEqual(await statuses(2, message, { token, body: ask }), [200, 429]);
      await test.app.db.write('users').where({ id }).update({ disabled: true });
      const { socket, until } = await connectTo(test.url);
      const head = `POST ${message} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}`;
      const type = 'Content-Type: application/json\r\nContent-Length: 1000';
      socket.write(`${head}\r\n${type}\r\n\r\n{`);
      await until(/^HTTP\/1.1 429 [^]*retry-after: 60/i);
      socket.destroy();
      assert.deepEqual(await statuses(1, '/api/conversations', { token }), [401]);
      await pass(60_000);
      assert.deepEqual(await statuses(1, message, { token, body: ask }), [401]);
    });

    it('allow other callers and other operations, and the same caller later', async () => {
      await open({ limits: { invalid_bodies_per_minute: 1, messages_per_minute: 2 } });
      const ada = await addUser(test, acme, 'user');
      const bob = await addUser(test, acme, 'backoffice');
      const as = (token: string, body: object) => statuses(1, message, { token, body });
      assert.deepEqual(await as(ada.token, {}), [400]);
      assert.deepEqual(await as(ada.token, ask), [429]);
      assert.deepEqual(await as(ada.token, ask), [429]);
      assert.deepEqual(await as(bob.token, ask), [200]);
      assert.deepEqual(await statuses(1, '/api/conversations', { token: ada.token }), [200]);
      await pass(60_000);
      assert.deepEqual(await as(ada.token, ask), [200]);
    });
  });

  describe('for simultaneous requests of one address', () => {
    const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
    const refusedNow = async (address: string) => (await call(page, from(address))).status === 429;
    const until = async (state: () => Promise<boolean>) => {
      while (!(await state())) await setImmediate();
    };
    /** A request whose body never comes. */
    const begin = async (address: string) => {
      const connection = await connectTo(test.url);
      const head = `POST /api/auth/login HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}`;
      const body = 'Content-Type: application/json\r\nContent-Length: 100';
      connection.socket.write(`${head}\r\n${body}\r\n\r\n{`);
      return connection;
    };

    it('refuse one request too many until another one ends', async () => {
      await open({ limits: { at_once_per_address: 2 }, server: { trust_proxy: 1 } });
      const slow = [await begin('203.0.113.1'), await begin('203.0.113.1')];
      await until(() => refusedNow('203.0.113.1'));
      const { status, headers, body } = await call(page, from('203.0.113.1'));
      assert.deepEqual([status, body.code], [429, 'rate_limited']);
      assert.equal(headers.get('retry-after'), '1');
      assert.match(body.detail, /2 of one address are allowed/);
      assert.deepEqual(await statuses(1, '/health/live', from('203.0.113.1')), [200]);
      assert.deepEqual(await statuses(1, page, from('203.0.113.2')), [200], 'another address');
      slow[0]?.socket.destroy();
      await until(async () => !(await refusedNow('203.0.113.1')));
      slow[1]?.socket.destroy();
    });

    it('count an IPv6 network as one address', async () => {
      await open({ limits: { at_once_per_address: 1 }, server: { trust_proxy: 1 } });
      const slow = await begin('2001:db8::1');
      await until(() => refusedNow('2001:db8::ffff:2'));
      assert.deepEqual(await statuses(1, page, from('2001:db8:0:1::1')), [200]);
      slow.socket.destroy();
    });
  });

  describe('for slow bodies', () => {
    const begin = async (length: number, first: string) => {
      const connection = await connectTo(test.url);
      const head =
        'POST /api/conversations/message HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer wrong';
      const type = `Content-Type: application/json\r\nContent-Length: ${length}`;
      connection.socket.write(`${head}\r\n${type}\r\n\r\n${first}`);
      return connection;
    };

    it('delay the check of a credential until the body, or 16 KB of it, has come', async () => {
      await open({});
      const slow = await begin(100, '{');
      const quick = await begin(1_000_000, 'x'.repeat(16 * 1024));
      await quick.until(/^HTTP\/1.1 401 /);
      assert.equal(slow.received(), '');
      slow.socket.write(' ');
      assert.deepEqual(await statuses(2, page), [200, 200]);
      assert.equal(slow.received(), '');
      slow.socket.write('x'.repeat(98));
      await slow.until(/^HTTP\/1.1 401 /);
      [slow, quick].forEach(({ socket }) => socket.destroy());
    });

    it('stop counting a client that disconnects', async () => {
      await open({ limits: { at_once_per_address: 1 } });
      const slow = await begin(100, '{');
      while (!(await statuses(1, page)).includes(429)) await setImmediate();
      slow.socket.destroy();
      while (!(await statuses(1, page)).includes(200)) await setImmediate();
    });
  });

  describe('for the memory of slow bodies', () => {
    const upload = '/api/knowledge/ingest-pdf';
    const mebibyte = 1024 * 1024;
    /** The credential is checked once this many bytes have come. */
    const first16 = 16 * 1024;
    const begin = async (path: string, headers: string, first: string | Buffer) => {
      const connection = await connectTo(test.url);
      connection.socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n`);
      connection.socket.write(first);
      return connection;
    };
    const statusOf = async (token: string) =>
      (await call(upload, { token, method: 'POST', body: {} })).status;

    it('refuse one body too many of a user until another one ends, but no other user', async () => {
      await open({ limits: { body_mb_at_once: 1 } });
      const ada = await addUser(test, acme, 'admin');
      const bob = await addUser(test, acme, 'backoffice');
      const form = 'Content-Type: multipart/form-data; boundary=x';
      const headersOf = `Authorization: Bearer ${ada.token}\r\n${form}\r\nContent-Length: ${mebibyte}`;
      const slow = await begin(upload, headersOf, 'x'.repeat(first16));
      while ((await statusOf(ada.token)) !== 429) await setImmediate();
      const { headers, body } = await call(upload, {
        token: ada.token,
        body: { a: 'long enough' },
      });
      assert.equal(body.code, 'rate_limited');
      assert.equal(headers.get('retry-after'), '5');
      assert.match(body.detail, /1 MB of one sender/);
      assert.equal(await statusOf(bob.token), 400, 'another user');
      assert.deepEqual(await statuses(1, '/api/me', { token: ada.token }), [200], 'without a body');
      slow.socket.destroy();
      while ((await statusOf(ada.token)) !== 400) await setImmediate();
    });

    it('count a chunked or compressed body with the largest allowed size', async () => {
      await open({ limits: { body_mb_at_once: 1 } });
      const { token } = await addUser(test, acme, 'admin');
      const json = `Authorization: Bearer ${token}\r\nContent-Type: application/json`;
      const first = gzipSync(randomBytes(2 * first16)).subarray(0, first16);
      for (const [more, bytes] of [
        ['Transfer-Encoding: chunked', `10000\r\n${'x'.repeat(first16)}`],
        [`Content-Encoding: gzip\r\nContent-Length: ${2 * first16}`, first],
      ] as const) {
        const slow = await begin('/api/knowledge', `${json}\r\n${more}`, bytes);
        while ((await statusOf(token)) !== 429) await setImmediate();
        slow.socket.destroy();
        while ((await statusOf(token)) !== 400) await setImmediate();
      }
    });
  });

  describe('for invalid bodies', () => {
    const login = '/api/auth/login';
    const valid = { email: 'nobody@acme.example', password: 'a wrong password' };

    it('refuse the next body before it has come, but no request without a body', async () => {
      await open({ limits: { invalid_bodies_per_minute: 2 } });
      assert.deepEqual(await statuses(2, login, { body: { email: 7 } }), [400, 400]);
      const { status, headers, body } = await call(login, { body: valid });
      assert.deepEqual([status, body.code], [429, 'rate_limited']);
      assert.equal(headers.get('retry-after'), '30');
      assert.match(body.detail, /Too many invalid bodies: 2 a minute/);
      assert.deepEqual(await statuses(1, page), [200], 'a request without a body');
      const { socket, until } = await connectTo(test.url);
      const type = 'Content-Type: application/json\r\nContent-Length: 1000';
      socket.write(`POST ${login} HTTP/1.1\r\nHost: a\r\n${type}\r\n\r\n{`);
      await until(/^HTTP\/1.1 429 /);
      socket.destroy();
      await pass(30_000);
      assert.deepEqual(await statuses(1, login, { body: valid }), [401]);
    });

    it('count bodies that are not JSON, too long or of another type, and no other refusals', async () => {
      await open({ limits: { invalid_bodies_per_minute: 3 } });
      assert.deepEqual(await statuses(4, login, { body: valid }), [401, 401, 401, 401]);
      const raw = (type: string, body: string) =>
        fetch(`${test.url}${login}`, { method: 'POST', headers: { 'Content-Type': type }, body });
      const json = 'application/json';
      for (const [type, body, expected] of [
        [json, '{', 400],
        [json, `"${'x'.repeat(9000)}"`, 413],
        ['text/plain', '{}', 415],
        [json, JSON.stringify(valid), 429],
      ] as const) {
        assert.equal((await raw(type, body)).status, expected);
      }
    });

    it('count a user at all addresses, separately from other users at the same address', async () => {
      await open({ limits: { invalid_bodies_per_minute: 1 }, server: { trust_proxy: 1 } });
      const ada = await addUser(test, acme, 'user');
      const bob = await addUser(test, acme, 'backoffice');
      const message = '/api/conversations/message';
      const as = (token: string, address: string, body: object) =>
        statuses(1, message, { token, body, headers: { 'X-Forwarded-For': address } });
      assert.deepEqual(await as(ada.token, '203.0.113.1', {}), [400]);
      assert.deepEqual(await as(ada.token, '203.0.113.2', ask), [429]);
      assert.deepEqual(await as(bob.token, '203.0.113.1', ask), [200]);
    });
  });

  it('allow 16 pipelined requests on a connection, and end one with 200', async () => {
    await open({});
    // No answer in the pattern extends over the next one. Otherwise it would backtrack through all combinations.
    const answered = (count: number) =>
      new RegExp(`(?:HTTP/1.1 200(?:(?!HTTP/1.1)[^])*){${count}}`);
    const line = `GET ${page} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const few = await connectTo(test.url);
    few.socket.write(line.repeat(16));
    await few.until(answered(16));
    few.socket.write(line);
    await few.until(answered(17));
    few.socket.destroy();
    const many = await connectTo(test.url);
    many.socket.write(line.repeat(200));
    const answers = (await many.closed).match(/HTTP\/1.1 /g) ?? [];
    assert.ok(answers.length < 200, `${answers.length} answers`);
    assert.deepEqual(await statuses(1, page), [200]);
  });

  it('delay further refusals of an address after 20 in a minute, but no other answers', async () => {
    await open({ limits: { address_per_minute: 1, refusal_delay_ms: 60_000 } });
    assert.deepEqual(new Set(await statuses(21, page)), new Set([200, 429]));
    const gone = new AbortController();
    const waiting = fetch(`${test.url}${page}`, { signal: gone.signal });
    assert.deepEqual(await statuses(3, '/health/live'), [200, 200, 200]);
    assert.equal(await Promise.race([waiting, Promise.resolve('waits')]), 'waits');
    gone.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    await pass(60_000);
    assert.deepEqual(await statuses(2, page), [200, 429]);
  });

  it('delay further refusals of a user after 20 at any address, but not of other users', async () => {
    const limits = { messages_per_minute: 1, refusal_delay_ms: 60_000 };
    await open({ limits, server: { trust_proxy: 1 } });
    const message = '/api/conversations/message';
    const ada = await addUser(test, acme, 'user');
    const bob = await addUser(test, acme, 'backoffice');
    const from = (address: string, { token }: { token: string }) => ({
      token,
      body: ask,
      headers: { 'X-Forwarded-For': address },
    });
    for (let host = 0; host < 21; host++) await call(message, from(`203.0.113.${host}`, ada));
    let answered = false;
    const waiting = call(message, from('203.0.113.50', ada)).then(() => (answered = true));
    assert.deepEqual(await statuses(2, message, from('203.0.113.50', bob)), [200, 429]);
    assert.equal(answered, false);
    await Promise.all([test.close(), waiting.catch(() => undefined)]);
  });

  it('delay further refusals of an address after repeated invalid or forbidden requests', async () => {
    await open({ limits: { refusal_delay_ms: 60_000 } });
    const { token } = await addUser(test, acme, 'user');
    const refused = [
      ...(await statuses(10, '/api/auth/login', { body: { email: 7 } })),
      ...(await statuses(10, '/api/admin/users', { token })),
    ];
    assert.deepEqual(new Set(refused), new Set([400, 403]));
    const gone = new AbortController();
    const waiting = fetch(`${test.url}/widget/config`, { signal: gone.signal });
    const others = ['/api/knowledge', '/api/nothing'].map((path) => statuses(30, path));
    assert.deepEqual(new Set((await Promise.all(others)).flat()), new Set([401, 404]));
    assert.equal(await Promise.race([waiting, Promise.resolve('waits')]), 'waits');
    gone.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
  });

  it('are off at 0', async () => {
    await open({ limits: { address_per_minute: 0 } });
    const { headers } = await call(page);
    assert.equal(headers.get('ratelimit'), null);
    assert.deepEqual(await statuses(5, page), [200, 200, 200, 200, 200]);
  });
});
