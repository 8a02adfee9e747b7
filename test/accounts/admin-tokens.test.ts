import assert from 'node:assert/strict';
import { once } from 'node:events';
import { resetPassword } from '../../src/accounts/users/manage-users.js';
import { rotateSigningKey } from '../../src/accounts/tokens/signing-keys.js';
import { endAllAccess } from '../../src/accounts/users/sessions.js';
import { callApi, type CallOptions } from '../support/api-client.js';
import { connectTo } from '../support/raw-http.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import {
  addOrganization,
  addUser,
  beforeNextTransaction,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';

interface List<T> {
  data: T[];
  pagination: { total: number; page: number; limit: number };
}

interface TokenBody {
  id: number;
  name: string;
  token: string;
  user: { id: number; email: string };
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

interface KeyBody {
  kid: string;
  created_at: string;
  retired_at: string | null;
}

describe('The administration of tokens and keys', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let admin: TestUser;
  let globexAdmin: TestUser;

  beforeEach(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    admin = await addUser(test, acme, 'admin');
    globexAdmin = await addUser(test, await addOrganization(test, 'Globex'), 'admin');
  });
  afterEach(() => test.close());

  /** A call as Acme's admin, unless another token is named. */
  const call = <T>(path: string, options: CallOptions = {}) =>
    callApi<T>(`${test.url}/api/admin${path}`, { token: admin.token, ...options });
  const remove = (path: string, token = admin.token) => call(path, { method: 'DELETE', token });
  const statusOf = async (token: string) => (await callApi(`${test.url}/api/me`, { token })).status;
  const logIn = (email: string, password: string) =>
    callApi<{ token: string }>(`${test.url}/api/auth/login`, { body: { email, password } });
  const actions = async () => {
    const rows = await test.app.db
      .read<{ action: string; actor: string }>('audit_log')
      .where({ actor: `user:${admin.id}` })
      .orderBy('id')
      .select('action');
    return rows.map(({ action }) => action);
  };

  it('creates a token that is shown once, lists it and revokes it', async () => {
    const user = await addUser(test, acme, 'user');
    const body = { user_id: user.id, name: 'docs pipeline', days: 30 };
    const minted = await call<TokenBody>('/tokens', { body });
    assert.equal(minted.status, 201);
    const { token, ...record } = minted.body;
    assert.deepEqual(
      [record.name, record.user.id, record.expires_at, record.last_used_at, record.revoked_at],
      ['docs pipeline', user.id, '2026-03-31T09:00:00.000Z', null, null],
    );
    assert.equal(minted.headers.get('location'), `/api/admin/tokens/${record.id}`);
    const listed = await call<List<TokenBody>>('/tokens');
    assert.deepEqual(listed.body.data, [record]);
    assert.deepEqual((await call<TokenBody>(`/tokens/${record.id}`)).body, record);
    assert.ok(!JSON.stringify(listed.body).includes(token));
    assert.equal(await statusOf(token), 200);
    assert.equal((await remove(`/tokens/${record.id}`)).status, 204);
    assert.equal(await statusOf(token), 401);
    assert.equal((await remove(`/tokens/${record.id}`)).status, 204);
    assert.equal(
      (await call<TokenBody>(`/tokens/${record.id}`)).body.revoked_at,
      '2026-03-01T09:00:00.000Z',
    );
    assert.deepEqual(await actions(), ['token.mint', 'token.revoke']);
    const log = JSON.stringify(await test.app.db.read('audit_log').select('*'));
    assert.ok(!log.includes(token));
    for (const change of [{ days: 0 }, { days: 1e9 }, { name: '' }, { user_id: 2 ** 60 }]) {
      const reply = await call('/tokens', { body: { ...body, ...change } });
      assert.equal(reply.status, 400, JSON.stringify(change));
    }
  });

  it('shows tokens from before a new password as revoked, and later ones as valid', async () => {
    const user = await addUser(test, acme, 'user');
    const mint = async () =>
      (await call<TokenBody>('/tokens', { body: { user_id: user.id, name: 'ci' } })).body;
    const before = await mint();
    clock.advance(1000);
    await resetPassword(test.app, acme.operator, { id: user.id, password: 'another good one' });
    clock.advance(1000);
    const after = await mint();
    assert.deepEqual([await statusOf(before.token), await statusOf(after.token)], [401, 200]);
    const shown = async ({ id }: TokenBody) =>
      (await call<TokenBody>(`/tokens/${id}`)).body.revoked_at;
    assert.deepEqual([await shown(before), await shown(after)], ['2026-03-01T09:00:01.000Z', null]);
  });

  it('ends tokens and sessions from while the clock was ahead with a new password, and nothing later', async () => {
    const user = await addUser(test, acme, 'user');
    const mint = async () =>
      (await call<TokenBody>('/tokens', { body: { user_id: user.id, name: 'ahead' } })).body.token;
    const reset = (password: string) =>
      resetPassword(test.app, acme.operator, { id: user.id, password });
    const before = await mint();
    clock.advance(3_600_000);
    const ahead = [before, await mint(), (await logIn(user.email, user.password)).body.token];
    await reset('set while ahead');
    clock.advance(-3_600_000);
    assert.equal(await statusOf((await logIn(user.email, 'set while ahead')).body.token), 200);
    await reset('set when right');
    for (const token of ahead) assert.equal(await statusOf(token), 401);
    assert.equal(await statusOf((await logIn(user.email, 'set when right')).body.token), 200);
    clock.advance(3_600_000);
    const late = await mint();
    clock.advance(-3_600_000);
    await reset('the last of them');
    assert.equal(await statusOf(late), 401);
  });

  it('refuses a request that began before its token was revoked', async () => {
    const { token } = (await logIn(admin.email, admin.password)).body;
    const attempts = [
      [
        '/api/admin/tokens',
        'application/json',
        ' '.repeat(20_000),
        `{"user_id":${admin.id},"name":"stays"}`,
      ],
      [
        '/api/knowledge/ingest-pdf',
        'multipart/form-data; boundary=b',
        `--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4${' '.repeat(20_000)}`,
        '\r\n--b--\r\n',
      ],
    ] as const;
    const begun = [];
    for (const [path, type, first, last] of attempts) {
      const credentialRead = once(test.app.db.read, 'query-response');
      const { socket, until } = await connectTo(test.url);
      const length = first.length + last.length;
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${first}`,
      );
      // The server has accepted the credential by now.
      await credentialRead;
      begun.push({ socket, until, last });
    }
    await resetPassword(test.app, acme.operator, { id: admin.id, password: 'a good new one' });
    for (const { socket, until, last } of begun) {
      socket.write(last);
      assert.equal((await until(/^HTTP\/1\.1 (\d+)/))[1], '401');
      socket.destroy();
    }
  });

  it('shows no new token or secret to a caller whose access ends meanwhile', async () => {
    const made = async (path: string, body: object) =>
      (await call<{ id: number }>(path, { body })).body.id;
    const key = { app_id: acme.appId, kind: 'public', name: 'site' };
    const webhook = { url: 'https://hooks.example/' };
    for (const [path, body] of [
      ['/tokens', { user_id: admin.id, name: 'stays' }],
      ['/widget-keys', key],
      ['/webhooks', webhook],
      [`/widget-keys/${await made('/widget-keys', key)}/rotate-secret`, {}],
      [`/webhooks/${await made('/webhooks', webhook)}/rotate-secret`, undefined],
    ] as const) {
      const { token } = (await logIn(admin.email, admin.password)).body;
      // The server has accepted the credential.
      beforeNextTransaction(test.app, () => endAllAccess(test.app, admin.id));
      const { status } = await call(path, { method: 'POST', token, ...(body && { body }) });
      assert.equal(status, 401, path);
    }
  });

  it('shows when a token was last used, to the minute', async () => {
    const { body } = await call<TokenBody>('/tokens', { body: { user_id: admin.id, name: 'ci' } });
    const lastUse = async () => (await call<TokenBody>(`/tokens/${body.id}`)).body.last_used_at;
    await statusOf(body.token);
    assert.equal(await lastUse(), '2026-03-01T09:00:00.000Z');
    clock.advance(59_999);
    await statusOf(body.token);
    assert.equal(await lastUse(), '2026-03-01T09:00:00.000Z');
    clock.advance(1);
    await statusOf(body.token);
    assert.equal(await lastUse(), '2026-03-01T09:01:00.000Z');
  });

  it('creates a key for new tokens, keeps tokens of older keys valid, and shows no secret', async () => {
    const made = await call<KeyBody>('/signing-keys', { method: 'POST' });
    assert.equal(made.status, 201);
    const { token } = (await logIn(admin.email, admin.password)).body;
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as {
      kid: string;
    };
    assert.equal(header.kid, made.body.kid);
    assert.equal(await statusOf(token), 200);
    assert.equal(await statusOf(admin.token), 200);
    const { body } = await call<List<KeyBody>>('/signing-keys');
    assert.equal(body.pagination.total, 2);
    assert.deepEqual(body.data[0], made.body);
    const secrets = await test.app.db.read<{ secret: string }>('signing_keys').select('secret');
    assert.ok(secrets.every(({ secret }) => !JSON.stringify(body).includes(secret)));
    assert.deepEqual(await actions(), ['signing_key.create']);
  });

  it('lets only the operator retire keys, which revokes their tokens at once', async () => {
    const actor = {
      kind: 'user',
      organizationId: acme.operator.organizationId,
      userId: admin.id,
      role: 'admin',
    } as const;
    await assert.rejects(rotateSigningKey(test.app, actor, { retireOld: true }), {
      code: 'forbidden',
    });
    const { key, retired } = await rotateSigningKey(test.app, acme.operator, { retireOld: true });
    assert.equal(retired, 1);
    assert.equal(await statusOf(admin.token), 401);
    assert.equal(await statusOf(globexAdmin.token), 401);
    const { token } = (await logIn(admin.email, admin.password)).body;
    const { body } = await call<List<KeyBody>>('/signing-keys', { token });
    assert.deepEqual(
      body.data.map(({ kid, retired_at }) => [kid === key.kid, retired_at === null]),
      [
        [true, true],
        [false, false],
      ],
    );
  });
});
