import assert from 'node:assert/strict';
import { resetPassword } from '../../src/accounts/users/manage-users.js';
import { serve } from '../../src/main/serve.js';
import type { SignInThrottle } from '../../src/platform/app.js';
import { codeOf } from '../../src/platform/errors.js';
import { callApi } from '../support/api-client.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  serveTestApp,
  type TestApp,
} from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';

const minute = 60_000;

describe('The throttle of sign-ins', () => {
  let throttle: SignInThrottle;
  let clock: TestClock;
  let test: TestApp;
  const auth = {
    ...{ login_attempts: 3, login_attempts_per_address: 8 },
    ...{ login_window_minutes: 15, login_attempts_per_account_minute: 6 },
  };

  beforeEach(async () => {
    clock = createTestClock();
    test = await openTestApp({ auth }, clock);
    throttle = test.app.signIns;
  });
  afterEach(() => test.close());

  /** The number of admitted attempts out of `times`, all with a wrong password. */
  async function fail(account: string, address: string, times = 1): Promise<number> {
    const outcomes = await Promise.allSettled(
      Array.from({ length: times }, () => throttle.attempt(account, address)),
    );
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  }

  async function succeed(account: string, address: string): Promise<void> {
    await (await throttle.attempt(account, address)).succeeded(1);
  }

  it('admits a few wrong passwords for an account from one address, also if many come at once', async () => {
    assert.equal(await fail('ada', '10.0.0.1', 20), 3);
    assert.equal(await fail('ada', '10.0.0.1'), 0);
  });

  it('names the seconds to wait, admits one attempt after them, and all after the window', async () => {
    await fail('ada', '10.0.0.1', 3);
    clock.advance(3 * minute);
    await assert.rejects(throttle.attempt('ada', '10.0.0.1'), {
      code: 'rate_limited',
      retryAfterSeconds: 120,
    });
    clock.advance(2 * minute);
    assert.equal(await fail('ada', '10.0.0.1', 5), 1);
    clock.advance(15 * minute);
    assert.equal(await fail('ada', '10.0.0.1', 5), 3);
  });

  it('counts unknown answers of providers separately from passwords', async () => {
    for (let i = 0; i < 3; i++) await throttle.unknown('10.0.0.1');
    await assert.rejects(throttle.unknown('10.0.0.1'), { code: 'rate_limited' });
    assert.equal(await fail('ada', '10.0.0.1', 3), 3);
    await throttle.unknown('10.0.0.2');
  });

  it('counts the attempts at all servers together, also those before a restart', async () => {
    const { config } = test.app;
    const other = await test.openAnother({ config, clock });
    const at = (servers: SignInThrottle[]) =>
      Promise.allSettled(servers.map((server) => server.attempt('ada', '10.0.0.1')));
    const servers = Array.from({ length: 8 }, () => [throttle, other.signIns]).flat();
    const admitted = (await at(servers)).filter(({ status }) => status === 'fulfilled');
    await other.close();
    assert.equal(admitted.length, 3);
  });

  it('waits no longer than the window after the machine’s clock was set back', async () => {
    await fail('ada', '10.0.0.1', 3);
    clock.advance(-60 * minute);
    assert.equal(await fail('ada', '10.0.0.1', 5), 0);
    clock.advance(5 * minute);
    assert.equal(await fail('ada', '10.0.0.1', 5), 1);
    clock.advance(15 * minute);
    assert.equal(await fail('ada', '10.0.0.1', 5), 3);
  });

  it('does not extend the wait for attempts during it', async () => {
    await fail('ada', '10.0.0.1', 3);
    for (let passed = 0; passed < 5; passed++) {
      assert.equal(await fail('ada', '10.0.0.1', 10), 0);
      clock.advance(minute);
    }
    assert.equal(await fail('ada', '10.0.0.1'), 1);
  });

  it('resets the count of an account from one address at the right password', async () => {
    await fail('ada', '10.0.0.1', 2);
    await succeed('ada', '10.0.0.1');
    assert.equal(await fail('ada', '10.0.0.1', 5), 3);
  });

  it('counts an address over all accounts, and a successful sign-in to one of them resets nothing', async () => {
    for (const account of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      assert.equal(await fail(account, '10.0.0.1'), 1);
      clock.advance(1000);
      await succeed('mallory', '10.0.0.1');
    }
    assert.equal(await fail('h', '10.0.0.1'), 1);
    assert.equal(await fail('i', '10.0.0.1'), 0);
    assert.equal(await fail('i', '10.0.0.2'), 1);
  });

  it('limits the attempts of all addresses on one account, minute by minute', async () => {
    let admitted = 0;
    for (let host = 0; host < 50; host++) admitted += await fail('ada', `10.0.1.${host}`);
    assert.equal(admitted, 6);
    clock.advance(minute);
    assert.equal(await fail('ada', '10.0.2.1'), 1);
  });

  it('always admits the owner from a known address, whoever else tries', async () => {
    await succeed('ada', '192.0.2.7');
    for (let host = 0; host < 50; host++) await fail('ada', `10.0.1.${host}`, 3);
    assert.equal(await fail('ada', '10.0.9.9'), 0);
    await succeed('ada', '192.0.2.7');
  });

  it('counts an IPv6 network as one address, and an IPv4 address the same in both forms', async () => {
    assert.equal(await fail('ada', '2001:db8:1:2::1'), 1);
    assert.equal(await fail('ada', '2001:db8:1:2:ffff::9'), 1);
    assert.equal(await fail('ada', '2001:0db8:0001:0002:0:0:0:3'), 1);
    assert.equal(await fail('ada', '2001:db8:1:2::4'), 0);
    assert.equal(await fail('ada', '2001:db8:1:3::1'), 1);
    assert.equal(await fail('eve', '::ffff:10.0.0.1', 3), 3);
    assert.equal(await fail('eve', '10.0.0.1'), 0);
  });
});

describe('A sign-in after too many attempts', () => {
  let test: TestApp & { url: string };

  beforeEach(async () => {
    test = await serveTestApp({ auth: { login_attempts: 3 } });
  });
  afterEach(() => test.close());

  const logIn = (email: string, password: string) =>
    callApi(`${test.url}/api/auth/login`, { body: { email, password } });

  it('is answered with 429 and Retry-After, even with the right password', async () => {
    const user = await addUser(test, await addOrganization(test), 'user');
    for (let time = 0; time < 3; time++) {
      assert.equal((await logIn(user.email, 'wrong password')).status, 401);
    }
    const { status, body, headers } = await logIn(user.email.toUpperCase(), user.password);
    assert.deepEqual([status, body.code], [429, 'rate_limited']);
    const seconds = Number(headers.get('retry-after'));
    assert.ok(seconds > 0 && seconds <= 900, `Retry-After: ${seconds}`);
  });

  it('is answered the same for an unknown account', async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 4; time++) {
      statuses.push((await logIn('nobody@example.com', 'wrong password')).status);
    }
    assert.deepEqual(statuses, [401, 401, 401, 429]);
  });

  it('includes wrong current passwords of a password change in its count', async () => {
    const user = await addUser(test, await addOrganization(test), 'user');
    const guess = (current_password: string) =>
      callApi(`${test.url}/api/me/password`, {
        token: user.token,
        body: { current_password, new_password: 'a new and long one' },
      });
    for (let time = 0; time < 3; time++) assert.equal((await guess('wrong')).status, 422);
    assert.equal((await guess(user.password)).body.code, 'rate_limited');
    assert.equal((await logIn(user.email, user.password)).status, 429);
  });

  it('does not affect open sessions', async () => {
    const user = await addUser(test, await addOrganization(test), 'user');
    for (let time = 0; time < 5; time++) await logIn(user.email, 'wrong password');
    assert.equal((await callApi(`${test.url}/api/me`, { token: user.token })).status, 200);
  });

  it('succeeds from an address that the owner used before, even after a restart', async () => {
    await test.close();
    test = await serveTestApp({
      server: { trust_proxy: 1 },
      auth: { login_attempts_per_address: 4, login_attempts_per_account_minute: 4 },
    });
    const user = await addUser(test, await addOrganization(test), 'user');
    const from = (address: string, email: string, password: string, url = test.url) =>
      callApi(`${url}/api/auth/login`, {
        body: { email, password },
        headers: { 'X-Forwarded-For': address },
      });
    assert.equal((await from('10.0.0.1', user.email, user.password)).status, 200);
    const again = await test.openAnother();
    const server = await serve(again);
    try {
      const statuses = new Set<number>();
      // A colleague forgets his own password, and strangers guess hers.
      for (let time = 0; time < 6; time++) {
        statuses.add((await from('10.0.0.1', `eve-${time}@x.example`, 'wrong', server.url)).status);
        statuses.add((await from(`10.9.0.${time}`, user.email, 'wrong', server.url)).status);
      }
      assert.deepEqual([...statuses].sort(), [401, 429]);
      assert.equal((await from('10.0.0.1', user.email, user.password, server.url)).status, 200);
    } finally {
      await server.stop();
      await again.close();
    }
  });

  it('is never refused because an admin of another organization sets many passwords', async () => {
    const ada = await addUser(test, await addOrganization(test), 'user');
    const globex = await addOrganization(test, 'Globex');
    const { id } = await addUser(test, globex, 'user');
    const reset = () =>
      resetPassword(test.app, globex.operator, { id, password: 'another password' });
    const resets = Array.from({ length: 200 }, reset);
    // The sign-in comes while the queue of the other organization is full.
    const refused = await Promise.any(
      resets.map((one) => one.then(() => Promise.reject(new Error('done')), codeOf)),
    );
    assert.equal(refused, 'rate_limited');
    const done = Promise.allSettled(resets);
    assert.equal((await logIn(ada.email, ada.password)).status, 200);
    await done;
  });
});
