import assert from 'node:assert/strict';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import { callApi } from '../support/api-client.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';

interface SessionBody {
  token: string;
  expiresIn: number;
  refreshToken: string;
  user: { id: number; email: string; role: string };
}

describe('Signing in', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let user: TestUser;

  before(async () => {
    clock = createTestClock();
    test = await serveTestApp({ auth: { access_token_minutes: 5, refresh_token_days: 2 } }, clock);
    acme = await addOrganization(test);
    user = await addUser(test, acme, 'user');
  });
  after(() => test.close());

  const logIn = async (email = user.email, password = user.password) =>
    callApi<SessionBody>(`${test.url}/api/auth/login`, { body: { email, password } });
  const refresh = (refreshToken: string) =>
    callApi<SessionBody>(`${test.url}/api/auth/refresh`, { body: { refreshToken } });
  const statusWith = async (token: string) =>
    (await callApi(`${test.url}/api/conversations`, { token })).status;
  const disable = (id: number, disabled: boolean) =>
    test.app.db.write('users').where({ id }).update({ disabled });

  it('returns a valid token, its lifetime in seconds, and the user', async () => {
    const { status, body } = await logIn();
    assert.equal(status, 200);
    assert.equal(body.expiresIn, 300);
    assert.deepEqual(
      { id: body.user.id, email: body.user.email, role: body.user.role },
      { id: user.id, email: user.email, role: 'user' },
    );
    assert.ok(!JSON.stringify(body).includes('argon2'));
    assert.equal(await statusWith(body.token), 200);
  });

  it('ignores case and surrounding spaces of the address', async () => {
    assert.equal((await logIn(` ${user.email.toUpperCase()} `)).status, 200);
  });

  it('returns the same error for a wrong password, an unknown address and a disabled account', async () => {
    const other = await addUser(test, await addOrganization(test, 'Globex'), 'user');
    await disable(other.id, true);
    const replies = [
      await callApi(`${test.url}/api/auth/login`, { body: { email: user.email, password: 'no' } }),
      await callApi(`${test.url}/api/auth/login`, {
        body: { email: 'nobody@example.com', password: user.password },
      }),
      await callApi(`${test.url}/api/auth/login`, {
        body: { email: other.email, password: other.password },
      }),
    ];
    const bodies = replies.map(({ status, body }) => ({
      status,
      body: { ...body, request_id: '' },
    }));
    const [first, ...others] = bodies;
    assert.deepEqual([first?.status, first?.body.code], [401, 'unauthenticated']);
    assert.deepEqual(others, [first, first]);
  });

  it('stores passwords and refresh tokens only as hashes', async () => {
    const { body } = await logIn();
    const users = JSON.stringify(await test.app.db.read('users').select('*'));
    assert.ok(users.includes('$argon2id$') && !users.includes(user.password));
    const tokens = JSON.stringify(await test.app.db.read('refresh_tokens').select('*'));
    assert.ok(!tokens.includes(body.refreshToken));
  });

  it('exchanges a refresh token for the next session, once', async () => {
    const first = (await logIn()).body;
    const second = await refresh(first.refreshToken);
    assert.equal(second.status, 200);
    assert.notEqual(second.body.refreshToken, first.refreshToken);
    assert.equal(await statusWith(second.body.token), 200);
    assert.equal((await refresh(second.body.refreshToken)).status, 200);
  });

  it('ends all sessions that follow from a refresh token that is used twice', async () => {
    const stolen = (await logIn()).body;
    const elsewhere = (await logIn()).body;
    const next = (await refresh(stolen.refreshToken)).body;
    assert.equal((await refresh(stolen.refreshToken)).status, 401);
    assert.equal((await refresh(next.refreshToken)).status, 401);
    assert.equal((await refresh(elsewhere.refreshToken)).status, 200);
  });

  it('returns one session if a refresh token is sent several times at once', async () => {
    const { refreshToken } = (await logIn()).body;
    const replies = await Promise.all([1, 2, 3, 4].map(() => refresh(refreshToken)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401, 401]);
  });

  it('ends the session at log-out, which can be repeated without an error', async () => {
    const { refreshToken } = (await logIn()).body;
    const logOut = () => callApi(`${test.url}/api/auth/logout`, { body: { refreshToken } });
    assert.equal((await logOut()).status, 204);
    assert.equal((await refresh(refreshToken)).status, 401);
    assert.equal((await logOut()).status, 204);
  });

  it('refuses a made-up refresh token', async () => {
    assert.equal((await refresh('A'.repeat(43))).status, 401);
  });

  it('refreshes a session until its last day, but not for a disabled account', async () => {
    const late = (await logIn()).body;
    const later = (await logIn()).body;
    clock.advance(2 * 86_400_000 - 1);
    assert.equal((await refresh(late.refreshToken)).status, 200);
    clock.advance(1);
    assert.equal((await refresh(later.refreshToken)).status, 401);

    const { refreshToken } = (await logIn()).body;
    await disable(user.id, true);
    assert.equal((await refresh(refreshToken)).status, 401);
    await disable(user.id, false);
  });

  it('returns an access token that expires on time', async () => {
    const { token } = (await logIn()).body;
    clock.advance(299_000);
    assert.equal(await statusWith(token), 200);
    clock.advance(1000);
    assert.equal(await statusWith(token), 401);
  });
});
