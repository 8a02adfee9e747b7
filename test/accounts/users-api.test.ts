import assert from 'node:assert/strict';
import { generate } from 'otplib';
import {
  beginSecondFactor,
  confirmSecondFactor,
} from '../../src/accounts/users/manage-second-factor.js';
import { callApi, type CallOptions } from '../support/api-client.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { addWidgetKey } from '../support/widget-keys.js';

interface UserBody {
  id: number;
  email: string;
  display_name: string;
  role: string;
  disabled: boolean;
}

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

describe('The administration of people', () => {
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
  const put = <T = UserBody>(path: string, body: unknown) => call<T>(path, { method: 'PUT', body });
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

  const endpoints: [string, string, unknown][] = [
    ['GET', '/users', undefined],
    ['POST', '/users', { email: 'n@example.com', role: 'user', password: 'long enough pw' }],
    ['GET', '/users/1', undefined],
    ['PUT', '/users/1', { display_name: 'X' }],
    ['DELETE', '/users/1', undefined],
    ['POST', '/users/1/reset-password', { password: 'long enough pw' }],
    ['GET', '/tokens', undefined],
    ['POST', '/tokens', { user_id: 1, name: 'x' }],
    ['GET', '/tokens/1', undefined],
    ['DELETE', '/tokens/1', undefined],
    ['GET', '/signing-keys', undefined],
    ['POST', '/signing-keys', undefined],
  ];

  it('is for admins only', async () => {
    const user = await addUser(test, acme, 'user');
    const backoffice = await addUser(test, acme, 'backoffice');
    const key = await addWidgetKey(test, acme, 'authenticated');
    for (const [method, path, body] of endpoints) {
      const url = `${test.url}/api/admin${path}`;
      const statuses = [
        (await callApi(url, { method, body })).status,
        (await callApi(url, { method, body, token: 'x.y.z' })).status,
        (await callApi(url, { method, body, key })).status,
        (await callApi(url, { method, body, token: user.token })).status,
        (await callApi(url, { method, body, token: backoffice.token })).status,
      ];
      assert.deepEqual(statuses, [401, 401, 403, 403, 403], `${method} ${path}`);
    }
    assert.equal(await statusOf(admin.token), 200);
  });

  it('answers 404 for people and tokens of another organization', async () => {
    const token = globexAdmin.token;
    const path = `/users/${admin.id}`;
    const minted = await call<TokenBody>('/tokens', { body: { user_id: admin.id, name: 'ci' } });
    for (const reply of [
      await call(path, { token }),
      await call(path, { token, method: 'PUT', body: { disabled: true } }),
      await remove(path, token),
      await call(`${path}/reset-password`, { token, body: { password: 'stolen it all' } }),
      await call('/tokens', { token, body: { user_id: admin.id, name: 'stolen' } }),
      await call(`/tokens/${minted.body.id}`, { token }),
      await remove(`/tokens/${minted.body.id}`, token),
    ]) {
      assert.equal(reply.status, 404);
    }
    const users = await call<List<UserBody>>('/users', { token });
    assert.deepEqual(
      users.body.data.map(({ id }) => id),
      [globexAdmin.id],
    );
    const filtered = await call<List<TokenBody>>(`/tokens?user_id=${admin.id}`, { token });
    assert.equal(filtered.body.pagination.total, 0);
    assert.equal(await statusOf(minted.body.token), 200);
  });

  it('creates a user, who can sign in', async () => {
    const body = { email: 'Ada@Example.com', role: 'backoffice', password: 'long enough pw' };
    const { status, body: made, headers } = await call<UserBody>('/users', { body });
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `/api/admin/users/${made.id}`);
    assert.deepEqual(
      [made.email, made.display_name, made.role, made.disabled],
      ['Ada@Example.com', 'Ada', 'backoffice', false],
    );
    assert.equal((await logIn('ada@example.com', body.password)).status, 200);
    assert.deepEqual((await call<UserBody>(`/users/${made.id}`)).body, made);
    assert.equal(
      (await call('/users', { body: { ...body, email: 'ada@example.COM' } })).status,
      409,
    );
    assert.deepEqual(await actions(), ['user.create']);
    const log = JSON.stringify(await test.app.db.read('audit_log').select('*'));
    assert.ok(!log.includes('argon2') && !log.includes('long enough pw'));
  });

  it('refuses invalid fields of a new user by their path', async () => {
    const good = { email: 'n@example.com', role: 'user', password: 'long enough pw' };
    for (const [path, change] of [
      ['email', { email: 'nobody' }],
      ['email', { email: 'a\0b@example.com' }],
      ['email', { email: '\ud800@example.com' }],
      ['email', { email: 5 }],
      ['role', { role: 'owner' }],
      ['password', { password: 'short' }],
      ['password', { password: undefined }],
      ['display_name', { display_name: '\n' }],
      ['organization_id', { organization_id: 2 }],
    ] as const) {
      const reply = await callApi(`${test.url}/api/admin/users`, {
        token: admin.token,
        body: { ...good, ...change },
      });
      const shown = JSON.stringify(change);
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.path], [400, path], shown);
    }
    for (const id of ['0', '-1', '1.5', 'x', '1e400', '9007199254740993', '%00']) {
      assert.equal((await call(`/users/${id}`)).status, 400, id);
    }
    assert.equal((await call('/users/9007199254740991')).status, 404);
  });

  it('lists users by role, state and words, page by page', async () => {
    const ids: number[] = [];
    for (const name of ['Ångström 100%', 'Bo', 'Cy']) {
      const email = `${name.slice(0, 2).toLowerCase()}@lab.example`;
      const body = { email, display_name: name, role: 'user', password: 'long enough pw' };
      ids.push((await call<UserBody>('/users', { body })).body.id);
    }
    await put(`/users/${ids[2]}`, { disabled: true });
    const find = async (query: string) =>
      (await call<List<UserBody>>(`/users?${query}`)).body.data.map(({ id }) => id);
    assert.deepEqual(await find('role=user'), ids);
    assert.deepEqual(await find('role=user&disabled=true'), [ids[2]]);
    assert.deepEqual(await find('role=user&disabled=false'), ids.slice(0, 2));
    assert.deepEqual(await find('q=BO'), [ids[1]]);
    assert.deepEqual(await find('q=LAB.example'), ids);
    assert.deepEqual(await find('q=100%25'), [ids[0]]);
    assert.deepEqual(await find('q=_'), []);
    assert.equal((await call('/users?q=%25%00x')).status, 400);
    const page = (await call<List<UserBody>>('/users?page=2&limit=3')).body;
    assert.deepEqual(page.pagination, { total: 4, page: 2, limit: 3 });
    assert.deepEqual(
      page.data.map(({ id }) => id),
      [ids[2]],
    );
  });

  it('changes only the given fields of a user', async () => {
    const user = await addUser(test, acme, 'user');
    const { status, body } = await put(`/users/${user.id}`, { email: 'new@example.com' });
    assert.equal(status, 200);
    assert.deepEqual(
      [body.email, body.display_name, body.role],
      ['new@example.com', 'user-1', 'user'],
    );
    assert.equal((await logIn('NEW@example.com', user.password)).status, 200);
    assert.equal((await logIn(user.email, user.password)).status, 401);
    assert.equal((await put(`/users/${user.id}`, { email: globexAdmin.email })).status, 409);
    assert.equal((await put(`/users/${user.id}`, { role: 'backoffice' })).body.role, 'backoffice');
    assert.equal((await put(`/users/${user.id}`, {})).body.role, 'backoffice');
    assert.equal((await put(`/users/${user.id}`, { password: 'x' })).status, 400);
  });

  it('ends all access of a disabled user at once, and enabling restores none of it', async () => {
    const user = await addUser(test, acme, 'user');
    const minted = await call<TokenBody>('/tokens', { body: { user_id: user.id, name: 'ci' } });
    const session = (await logIn(user.email, user.password)).body;
    clock.advance(1);
    assert.equal((await put(`/users/${user.id}`, { disabled: true })).body.disabled, true);
    const tokens = [user.token, minted.body.token, session.token];
    for (const token of tokens) assert.equal(await statusOf(token), 401);
    assert.equal((await logIn(user.email, user.password)).status, 401);
    await put(`/users/${user.id}`, { disabled: false });
    for (const token of tokens) assert.equal(await statusOf(token), 401);
    assert.equal((await logIn(user.email, user.password)).status, 200);
  });

  it('resets a password, and ends all access with the old one', async () => {
    const user = await addUser(test, acme, 'user');
    clock.advance(1);
    const body = { password: 'another long one' };
    assert.equal((await call(`/users/${user.id}/reset-password`, { body })).status, 204);
    assert.equal(await statusOf(user.token), 401);
    assert.equal((await logIn(user.email, user.password)).status, 401);
    assert.equal((await logIn(user.email, body.password)).status, 200);
    assert.deepEqual(await actions(), ['user.reset_password']);
  });

  it('can’t reset, delete or erase an admin’s own account without its password', async () => {
    const second = { email: 'b@example.com', role: 'admin', password: 'long enough pw' };
    await call<UserBody>('/users', { body: second });
    const own = `/users/${admin.id}`;
    const erase = () => call(`/people/user/${admin.id}/erase`, { body: {} });
    assert.equal((await erase()).status, 409, 'erasing requires the password');
    const shown = { ...admin, address: '127.0.0.1' };
    const { secret } = await beginSecondFactor(test.app, shown);
    const code = await generate({ secret, epoch: Math.floor(clock.now().getTime() / 1000) });
    const { session } = await confirmSecondFactor(test.app, { ...shown, code });
    const { token } = session;
    const body = { password: 'another long one' };
    for (const reply of [
      await call(`${own}/reset-password`, { token, body }),
      await remove(own, token),
      await call(`/people/user/${admin.id}/erase`, { token, body: {} }),
    ]) {
      assert.equal(reply.status, 409);
    }
    assert.equal(await statusOf(token), 200);
  });

  it('keeps the last active admin', async () => {
    const path = `/users/${admin.id}`;
    const attempts = () => [
      () => put(path, { role: 'user' }),
      () => put(path, { disabled: true }),
      () => remove(path),
    ];
    for (const attempt of attempts()) assert.equal((await attempt()).status, 409);
    const body = { email: 'b@example.com', role: 'admin', password: 'long enough pw' };
    const second = (await call<UserBody>('/users', { body })).body;
    await put(`/users/${second.id}`, { disabled: true });
    for (const attempt of attempts()) assert.equal((await attempt()).status, 409);
    await put(`/users/${second.id}`, { disabled: false });
    assert.equal((await remove(path)).status, 204);
    assert.equal(await statusOf(admin.token), 401);
  });

  it('keeps one admin if two demote each other at once', async () => {
    const body = { email: 'b@example.com', role: 'admin', password: 'long enough pw' };
    const second = (await call<UserBody>('/users', { body })).body;
    const { token } = (await logIn(second.email, body.password)).body;
    const demote = { method: 'PUT', body: { role: 'user' } };
    const replies = await Promise.all([
      call(`/users/${second.id}`, demote),
      call(`/users/${admin.id}`, { ...demote, token }),
    ]);
    // A call whose credential is read after the other's change is refused for its role.
    const statuses = replies.map(({ status }) => status).sort();
    assert.equal(statuses[0], 200);
    assert.ok([403, 409].includes(statuses[1] ?? 0), String(statuses));
    const left = await test.app.db
      .read<{ id: number; organization_id: number; role: string }>('users')
      .where({ organization_id: acme.operator.organizationId, role: 'admin' })
      .select('id');
    assert.equal(left.length, 1);
  });

  it('deletes a user with sessions and tokens', async () => {
    const user = await addUser(test, acme, 'user');
    await call<TokenBody>('/tokens', { body: { user_id: user.id, name: 'ci' } });
    await logIn(user.email, user.password);
    assert.equal((await remove(`/users/${user.id}`)).status, 204);
    assert.equal((await remove(`/users/${user.id}`)).status, 404);
    assert.equal(await statusOf(user.token), 401);
    assert.equal((await call<List<TokenBody>>('/tokens')).body.pagination.total, 0);
    assert.deepEqual(await actions(), ['token.mint', 'user.delete']);
  });
});
