import assert from 'node:assert/strict';
import { createProvider, setPasswordSignIn } from '../../../src/accounts/sso/manage-providers.js';
import { mintToken } from '../../../src/accounts/users/mint-token.js';
import { callApi } from '../../support/api-client.js';
import { createTestClock, type TestClock } from '../../support/test-clock.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { addWidgetKey } from '../../support/widget-keys.js';

interface Account {
  id: number;
  email: string;
  display_name: string;
  role: string;
  disabled: boolean;
  organization: { id: number; name: string; slug: string };
  created_at: string;
}

interface SessionBody {
  token: string;
  refreshToken: string;
  code: string;
}

describe('Your own account', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let user: TestUser;

  beforeEach(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    user = await addUser(test, acme, 'user');
  });
  afterEach(() => test.close());

  const me = (token: string) => callApi<Account>(`${test.url}/api/me`, { token });
  const logIn = (password = user.password) =>
    callApi<SessionBody>(`${test.url}/api/auth/login`, { body: { email: user.email, password } });
  const refresh = (refreshToken: string) =>
    callApi<SessionBody>(`${test.url}/api/auth/refresh`, { body: { refreshToken } });
  const changePassword = (token: string, current_password: string, new_password: string) =>
    callApi<SessionBody>(`${test.url}/api/me/password`, {
      token,
      body: { current_password, new_password },
    });

  it('shows your user and organization, without a password hash', async () => {
    const { status, body } = await me(user.token);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      id: user.id,
      email: user.email,
      last_seen_at: clock.now().toISOString(),
      display_name: 'user-1',
      role: 'user',
      disabled: false,
      created_at: '2026-03-01T09:00:00.000Z',
      updated_at: '2026-03-01T09:00:00.000Z',
      organization: { id: acme.operator.organizationId, name: 'Acme', slug: 'acme' },
    });
  });

  it('is for users only: an anonymous call and a widget key are refused', async () => {
    const key = await addWidgetKey(test, acme, 'authenticated');
    for (const [method, path, body] of [
      ['GET', '/api/me', undefined],
      ['PUT', '/api/me', { display_name: 'Ada' }],
      ['POST', '/api/me/password', { current_password: 'x', new_password: 'y' }],
    ] as const) {
      const call = { method, body };
      assert.equal((await callApi(`${test.url}${path}`, call)).status, 401, path);
      assert.equal((await callApi(`${test.url}${path}`, { ...call, key })).status, 403, path);
    }
  });

  it('accepts a new display name, and refuses other fields', async () => {
    const put = (body: unknown) =>
      callApi<Account>(`${test.url}/api/me`, { method: 'PUT', token: user.token, body });
    assert.equal((await put({ display_name: ' Ada L. ' })).body.display_name, 'Ada L.');
    assert.equal((await me(user.token)).body.display_name, 'Ada L.');
    assert.equal((await put({})).body.display_name, 'Ada L.');
    for (const body of [
      { role: 'admin' },
      { email: 'other@example.com' },
      { display_name: ' ' },
      { display_name: 'a\0b' },
      { display_name: '\ud800' },
      { display_name: 'x'.repeat(201) },
      { display_name: null },
    ]) {
      assert.equal((await put(body)).status, 400, JSON.stringify(body));
    }
  });

  it('ends every other session and token when you change the password', async () => {
    const elsewhere = (await logIn()).body;
    const here = (await logIn()).body;
    const { token: script } = await mintToken(test.app, acme.operator, {
      email: user.email,
      name: 'ci',
      days: undefined,
    });
    clock.advance(1);
    const { status, body } = await changePassword(here.token, user.password, 'another long one');
    assert.equal(status, 200);
    assert.equal((await me(body.token)).status, 200);
    assert.equal((await refresh(body.refreshToken)).status, 200);
    for (const token of [here.token, elsewhere.token, user.token, script]) {
      assert.equal((await me(token)).status, 401);
    }
    for (const session of [here, elsewhere]) {
      assert.equal((await refresh(session.refreshToken)).status, 401);
    }
    assert.equal((await logIn()).status, 401);
    assert.equal((await logIn('another long one')).status, 200);
  });

  it('can’t change the password while the organization signs in by its provider only', async () => {
    const provider = { name: 'acme', issuer: 'https://login.example.com', clientId: 'assistant' };
    await createProvider(test.app, acme.operator, provider);
    await setPasswordSignIn(test.app, acme.operator, false, { force: true });
    const { status, body } = await changePassword(user.token, user.password, 'another long one');
    assert.deepEqual([status, body.code], [403, 'password_sign_in_off']);
    await setPasswordSignIn(test.app, acme.operator, true);
    assert.equal((await logIn()).status, 200, 'the password stays');
  });

  it('keeps the password if the current one is wrong or the new one is invalid', async () => {
    const wrong = await callApi(`${test.url}/api/me/password`, {
      token: user.token,
      body: { current_password: 'not it', new_password: 'another long one' },
    });
    assert.deepEqual([wrong.status, wrong.body.errors?.[0]?.path], [422, 'current_password']);
    const short = await callApi(`${test.url}/api/me/password`, {
      token: user.token,
      body: { current_password: user.password, new_password: 'short' },
    });
    assert.deepEqual([short.status, short.body.errors?.[0]?.path], [400, 'new_password']);
    assert.equal((await logIn()).status, 200);
    assert.equal((await me(user.token)).status, 200);
  });

  it('ends a session’s access tokens at log-out, and no other session', async () => {
    const [here, elsewhere] = [(await logIn()).body, (await logIn()).body];
    const next = (await refresh(here.refreshToken)).body;
    const { refreshToken } = next;
    assert.equal(
      (await callApi(`${test.url}/api/auth/logout`, { body: { refreshToken } })).status,
      204,
    );
    assert.equal((await me(here.token)).status, 401);
    assert.equal((await me(next.token)).status, 401);
    assert.equal((await me(elsewhere.token)).status, 200);
  });

  it('ends a session’s access tokens if its refresh token is used twice', async () => {
    const stolen = (await logIn()).body;
    const next = (await refresh(stolen.refreshToken)).body;
    assert.equal((await me(next.token)).status, 200);
    assert.equal((await refresh(stolen.refreshToken)).status, 401);
    assert.equal((await me(stolen.token)).status, 401);
    assert.equal((await me(next.token)).status, 401);
  });

  it('records its changes without a password', async () => {
    const body = { display_name: 'Ada' };
    await callApi(`${test.url}/api/me`, { method: 'PUT', token: user.token, body });
    await changePassword(user.token, user.password, 'another long one');
    const rows = await test.app.db
      .read<{ action: string; actor: string }>('audit_log')
      .where({ actor: `user:${user.id}` })
      .orderBy('id')
      .select('*');
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['user.update', 'user.change_password'],
    );
    const text = JSON.stringify(rows);
    assert.ok(!text.includes('another long one') && !text.includes('argon2'));
  });
});
