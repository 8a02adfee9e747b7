import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { generate } from 'otplib';
import { mintToken } from '../../../src/accounts/users/mint-token.js';
import { resetSecondFactor } from '../../../src/accounts/users/manage-second-factor.js';
import { createProvider, setPasswordSignIn } from '../../../src/accounts/sso/manage-providers.js';
import { setPasswordHash } from '../../../src/accounts/users/accounts.repository.js';
import { findKeyFault } from '../../../src/accounts/users/stored-secrets.js';
import { createWidgetKey } from '../../../src/federation/manage-widget-keys.js';
import { serve } from '../../../src/main/serve.js';
import { examineSecrets } from '../../../src/operations/examine-settings.js';
import { callApi } from '../../support/api-client.js';
import {
  addOrganization,
  addUser,
  beforeNextTransaction,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { createTestClock, type TestClock } from '../../support/test-clock.js';

interface Body {
  code: string;
  token: string;
  refreshToken: string;
  secret: string;
  otpauth_uri: string;
  recovery_codes: string[];
  session: { token: string; refreshToken: string };
  errors?: { path: string }[];
}

describe('A second factor', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let user: TestUser;
  let admin: TestUser;

  before(async () => {
    clock = createTestClock();
    const auth = {
      require_two_factor: ['backoffice' as const],
      login_attempts_per_address: 10_000,
    };
    test = await serveTestApp(
      { auth: { ...auth, login_attempts_per_account_minute: 10_000 }, server: { trust_proxy: 1 } },
      clock,
    );
  });
  beforeEach(async () => {
    await test.app.db.write('organizations').delete();
    acme = await addOrganization(test);
    user = await addUser(test, acme, 'user');
    admin = await addUser(test, acme, 'admin');
  });
  after(() => test.close());

  const post = (path: string, code?: string, of = user) =>
    callApi<Body>(`${test.url}/api/auth/${path}`, {
      body: { email: of.email, password: of.password, ...(code !== undefined && { code }) },
    });
  const outcome = async (path: string, code?: string, of = user) => {
    const { status, body } = await post(path, code, of);
    return [status, (body as Body | undefined)?.code];
  };
  const codeOf = (secret: string, ahead = 0) =>
    generate({ secret, epoch: Math.floor(clock.now().getTime() / 1000) + ahead });
  const wrongFor = async (secret: string) =>
    String((Number(await codeOf(secret)) + 1) % 1_000_000).padStart(6, '0');
  const nextStep = () => clock.advance(30_000);
  const required = [401, 'second_factor_required'];

  async function setUp(of = user): Promise<{ secret: string; recovery: string[] }> {
    const { body } = await post('two-factor', undefined, of);
    const confirmed = await post('two-factor/confirm', await codeOf(body.secret), of);
    assert.equal(confirmed.status, 200);
    nextStep();
    return { secret: body.secret, recovery: confirmed.body.recovery_codes };
  }
  const stateOf = async (token: string) =>
    (await callApi<object>(`${test.url}/api/me/two-factor`, { token })).body;

  it('is required after a first code has confirmed it, and asked for only with the right password', async () => {
    const { body } = await post('two-factor');
    assert.equal(body.otpauth_uri.startsWith('otpauth://totp/Assistant:'), true, body.otpauth_uri);
    assert.ok(body.otpauth_uri.includes(body.secret));
    assert.equal((await post('login')).status, 200, 'no code is asked for before');
    assert.deepEqual(await outcome('two-factor/confirm', await wrongFor(body.secret)), required);
    const confirmed = await post('two-factor/confirm', await codeOf(body.secret));
    assert.equal(confirmed.body.recovery_codes.length, 10);
    assert.equal(
      (await callApi(`${test.url}/api/me`, { token: confirmed.body.session.token })).status,
      200,
    );
    nextStep();
    assert.deepEqual(await outcome('login'), required);
    assert.equal((await post('login', await codeOf(body.secret))).status, 200);
    const wrong = await outcome('login', await codeOf(body.secret), { ...user, password: 'wrong' });
    assert.deepEqual(wrong, [401, 'unauthenticated']);
    assert.deepEqual(await stateOf(user.token), {
      ...{ enabled: true, required: false, recovery_codes_left: 10 },
    });
  });

  it('accepts each code once, one step early or late, and none older than the last one', async () => {
    const { secret } = await setUp();
    const early = await codeOf(secret, 30);
    const now = await codeOf(secret);
    assert.deepEqual(await outcome('login', await codeOf(secret, 90)), required);
    assert.equal((await post('login', now)).status, 200);
    assert.deepEqual(await outcome('login', now), required);
    assert.equal((await post('login', early)).status, 200);
    clock.advance(30_000);
    assert.deepEqual(await outcome('login', early), required);
    clock.advance(60_000);
    assert.equal((await post('login', await codeOf(secret, -30))).status, 200);
    clock.advance(120_000);
    assert.deepEqual(await outcome('login', await codeOf(secret, -60)), required);
  });

  it('admits one of several simultaneous sign-ins with the same code', async () => {
    const { secret } = await setUp();
    const code = await codeOf(secret);
    const replies = await Promise.all([1, 2, 3].map(() => post('login', code)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401]);
  });

  it('accepts each recovery code once, in any case and spacing', async () => {
    const { recovery } = await setUp();
    const [first = '', second = ''] = recovery;
    assert.equal((await post('login', first)).status, 200);
    assert.deepEqual(await outcome('login', first), required);
    assert.equal((await post('login', second.toUpperCase().replaceAll('-', ' '))).status, 200);
    assert.deepEqual(await stateOf(user.token), {
      ...{ enabled: true, required: false, recovery_codes_left: 8 },
    });
  });

  it('gets new recovery codes with the password and a code, which invalidate the old ones', async () => {
    const { secret, recovery } = await setUp();
    const renewed = await post('two-factor/recovery-codes', await codeOf(secret));
    assert.equal(renewed.body.recovery_codes.length, 10);
    assert.deepEqual(await outcome('login', recovery[0]), required);
    assert.equal((await post('login', renewed.body.recovery_codes[0])).status, 200);
  });

  it('limits wrong codes as sign-in limits wrong passwords', async () => {
    const { secret } = await setUp();
    const wrong = await wrongFor(secret);
    for (let i = 0; i < 5; i++) assert.deepEqual(await outcome('login', wrong), required);
    assert.equal((await post('login', await codeOf(secret))).status, 429);
  });

  it('grants no further guesses for starting a set-up', async () => {
    const { secret } = await setUp();
    const wrong = await wrongFor(secret);
    const statuses: (number | undefined)[] = [];
    for (let i = 0; i < 4; i++) {
      statuses.push((await post('two-factor')).status, (await post('login', wrong)).status);
    }
    assert.deepEqual(statuses, [409, 401, 409, 401, 409, 429, 429, 429]);
  });

  it('counts wrong codes from all addresses together', async () => {
    const { secret } = await setUp();
    const from = async (address: string, code: string) =>
      (
        await callApi(`${test.url}/api/auth/login`, {
          body: { email: user.email, password: user.password, code },
          headers: { 'X-Forwarded-For': address },
        })
      ).status;
    const wrong = await wrongFor(secret);
    const places = Array.from({ length: 6 }, (_, i) => `10.0.0.${i}`);
    const statuses: number[] = [];
    for (const place of places) statuses.push(await from(place, wrong));
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
    assert.equal(await from('10.0.9.9', await codeOf(secret)), 429);
  });

  it('admits its owner from a known address while others use up the guesses elsewhere', async () => {
    const { secret } = await setUp();
    const from = async (address: string, code: string) =>
      (
        await callApi(`${test.url}/api/auth/login`, {
          body: { email: user.email, password: user.password, code },
          headers: { 'X-Forwarded-For': address },
        })
      ).status;
    const wrong = await wrongFor(secret);
    const [home, office] = ['10.1.0.1', '10.1.0.2'];
    for (const place of [home, office]) {
      assert.equal(await from(place, await codeOf(secret)), 200);
      nextStep();
    }
    const thief: number[] = [];
    for (let i = 0; i < 6; i++) thief.push(await from(`10.0.0.${i}`, wrong));
    assert.deepEqual(thief, [401, 401, 401, 401, 401, 429]);
    assert.equal(await from(home, await codeOf(secret)), 200);
    // Known addresses share one count, so more of them grant no more guesses.
    const places = [home, office, home, office, home, office];
    const statuses: number[] = [];
    for (const place of places) statuses.push(await from(place, wrong));
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  });

  it('is required with an access token to change the password or erase the account', async () => {
    const { secret } = await setUp();
    const calls = {
      password: { current_password: user.password, new_password: 'another long one' },
      erase: { current_password: user.password },
    };
    const call = async (path: string, body: object, code?: string) => {
      const { token } = await mintToken(test.app, acme.operator, {
        ...{ email: user.email, name: 'script', days: undefined },
      });
      const url = `${test.url}/api/me/${path}`;
      const reply = await callApi<Body>(url, { token, body: { ...body, ...(code && { code }) } });
      return [reply.status, reply.body.errors?.[0]?.path];
    };
    const refused = [422, 'code'];
    for (const [path, body] of Object.entries(calls)) {
      assert.deepEqual(await call(path, body), refused, path);
      assert.deepEqual(await call(path, body, await wrongFor(secret)), refused, path);
    }
    const code = await codeOf(secret);
    assert.deepEqual(await call('password', calls.password, code), [200, undefined]);
    const changed = { current_password: calls.password.new_password };
    clock.advance(1);
    assert.deepEqual(await call('erase', changed, code), refused, 'each code counts once');
    nextStep();
    assert.deepEqual(await call('erase', changed, await codeOf(secret)), [200, undefined]);
  });

  it('ends widget sessions that were opened with the password alone', async () => {
    const { key } = await createWidgetKey(test.app, acme.operator, {
      ...{ appId: acme.appId, kind: 'public', name: 'site' },
    });
    const widget = { key: key.key, headers: { Origin: `https://${acme.domain}` } };
    const signIn = async (code?: string) =>
      (
        await callApi<Body>(`${test.url}/widget/login`, {
          ...widget,
          body: { email: user.email, password: user.password, ...(code !== undefined && { code }) },
        })
      ).body.token;
    const conversations = async (token: string) =>
      (await callApi(`${test.url}/widget/conversations`, { ...widget, token })).status;
    const before = await signIn();
    assert.equal(await conversations(before), 200);
    const { secret } = await setUp();
    assert.equal(await conversations(before), 401);
    const then = await signIn(await codeOf(secret));
    assert.equal(await conversations(then), 200);
    await resetSecondFactor(test.app, acme.operator, user.id);
    assert.equal(await conversations(then), 401);
    const last = await signIn();
    await setPasswordSignIn(test.app, acme.operator, true);
    assert.equal(await conversations(last), 200);
    await createProvider(test.app, acme.operator, {
      ...{ name: 'acme', issuer: 'https://login.example.com', clientId: 'assistant' },
    });
    await setPasswordSignIn(test.app, acme.operator, false, { force: true });
    assert.equal(await conversations(last), 401);
  });

  it('is disabled only with the password and a code', async () => {
    const { secret } = await setUp();
    assert.deepEqual(await outcome('two-factor/disable', await wrongFor(secret)), required);
    const wrong = await outcome('two-factor/disable', await codeOf(secret), {
      ...user,
      password: 'wrong',
    });
    assert.deepEqual(wrong, [401, 'unauthenticated']);
    assert.equal((await post('two-factor/disable', await codeOf(secret))).status, 204);
    assert.equal((await post('login')).status, 200);
    assert.deepEqual(await outcome('two-factor/disable', '123456'), [409, 'conflict']);
  });

  it('ends older sessions when it is set up, and all when it is disabled', async () => {
    const before = (await post('login')).body;
    const { secret } = await setUp();
    const refresh = async (refreshToken: string) =>
      (await callApi(`${test.url}/api/auth/refresh`, { body: { refreshToken } })).status;
    assert.equal(await refresh(before.refreshToken), 401);
    const { token, refreshToken } = (await post('login', await codeOf(secret))).body;
    nextStep();
    assert.equal((await post('two-factor/disable', await codeOf(secret))).status, 204);
    assert.equal((await callApi(`${test.url}/api/me`, { token })).status, 401);
    assert.equal(await refresh(refreshToken), 401);
  });

  it('is required even if it is confirmed while a request with the password alone is running', async () => {
    await post('two-factor');
    const { token } = await mintToken(test.app, acme.operator, {
      ...{ email: user.email, name: 'script', days: undefined },
    });
    const body = { current_password: user.password, new_password: 'another long one' };
    const calls = [
      () => post('login'),
      () => callApi<Body>(`${test.url}/api/me/password`, { token, body }),
    ];
    for (const call of calls) {
      const confirmed_at = clock.now().toISOString();
      // The password is checked.
      beforeNextTransaction(test.app, async () =>
        test.app.db.write('second_factors').where({ user_id: user.id }).update({ confirmed_at }),
      );
      const { status, body: answer } = await call();
      assert.ok([401, 422].includes(status), `${status} ${answer.code}`);
      await test.app.db.write('second_factors').update({ confirmed_at: null });
    }
  });

  it('can’t be reset by its owner’s session alone', async () => {
    const { secret } = await setUp(admin);
    const { status } = await callApi(`${test.url}/api/admin/users/${admin.id}/reset-two-factor`, {
      method: 'POST',
      token: admin.token,
    });
    assert.equal(status, 409);
    assert.equal((await post('login', await codeOf(secret), admin)).status, 200);
  });

  it('can’t be replaced with the password alone', async () => {
    await setUp();
    assert.deepEqual(await outcome('two-factor'), [409, 'conflict']);
  });

  it('is required of the roles in the setting, who can only set it up without it', async () => {
    const writer = await addUser(test, acme, 'backoffice');
    assert.deepEqual(await outcome('login', undefined, writer), [403, 'second_factor_missing']);
    const wrong = await outcome('login', undefined, { ...writer, password: 'wrong' });
    assert.deepEqual(wrong, [401, 'unauthenticated']);
    const { secret } = await setUp(writer);
    assert.equal((await post('login', await codeOf(secret), writer)).status, 200);
  });

  it('ends a session at its refresh if the user’s new role requires one', async () => {
    const { refreshToken } = (await post('login')).body;
    await test.app.db.write('users').where({ id: user.id }).update({ role: 'backoffice' });
    const refreshed = await callApi(`${test.url}/api/auth/refresh`, { body: { refreshToken } });
    assert.equal(refreshed.status, 401);
  });

  it('can be reset by an admin, which ends the sessions and is recorded', async () => {
    const { secret } = await setUp();
    const { token } = (await post('login', await codeOf(secret))).body;
    const reset = () =>
      callApi(`${test.url}/api/admin/users/${user.id}/reset-two-factor`, {
        ...{ method: 'POST', token: admin.token },
      });
    assert.equal((await reset()).status, 204);
    assert.equal((await callApi(`${test.url}/api/me`, { token })).status, 401);
    assert.equal((await post('login')).status, 200);
    assert.equal((await reset()).status, 409);
    const rows = await test.app.db.read('audit_log').where('action', 'like', 'two_factor.%');
    assert.deepEqual(
      rows.map((row: { action: string; actor: string }) => [row.action, row.actor]),
      [
        ['two_factor.enable', `user:${user.id}`],
        ['two_factor.reset', `user:${admin.id}`],
      ],
    );
  });

  it('is stored encrypted, and its recovery codes as hashes', async () => {
    const { secret, recovery } = await setUp();
    const rows = JSON.stringify([
      await test.app.db.read('second_factors').select('*'),
      await test.app.db.read('recovery_codes').select('*'),
    ]);
    assert.ok(!rows.includes(secret));
    for (const code of recovery) assert.ok(!rows.includes(code.replaceAll('-', '')));
  });

  it('accepts no secret that was copied from another user’s row', async () => {
    const { secret } = await setUp();
    await setUp(admin);
    const row = await test.app.db
      .read<{ user_id: number; secret: string }>('second_factors')
      .where({ user_id: user.id })
      .first('secret');
    await test.app.db
      .write('second_factors')
      .where({ user_id: admin.id })
      .update({ secret: row?.secret, last_step: null });
    assert.deepEqual(await outcome('login', await codeOf(secret), admin), required);
  });

  it('is required by the widget’s sign-in form too', async () => {
    const { secret } = await setUp();
    const { key } = await createWidgetKey(test.app, acme.operator, {
      ...{ appId: acme.appId, kind: 'public', name: 'site' },
    });
    const signIn = (code?: string) =>
      callApi<Body>(`${test.url}/widget/login`, {
        key: key.key,
        headers: { Origin: `https://${acme.domain}` },
        body: { email: user.email, password: user.password, ...(code !== undefined && { code }) },
      });
    const refused = await signIn();
    assert.deepEqual([refused.status, refused.body.code], required);
    assert.equal((await signIn(await codeOf(secret))).status, 200);
  });

  it('has doctor ask for one key for all servers of a database of PostgreSQL', async () => {
    await setUp();
    const { app } = test;
    const { auth, database } = app.config;
    const shared = { ...app.config, database: { ...database, url: 'postgres://db/assistant' } };
    const codes = async (config: typeof shared) =>
      (await examineSecrets(config, app)).map(({ code }) => code);
    assert.deepEqual(await codes(shared), ['key_of_one_machine']);
    const text = await readFile(`${database.path}.key`, 'utf8');
    const keyed = { ...auth, secrets_key: text.trim() };
    assert.deepEqual(await codes({ ...shared, auth: keyed }), ['key_fits']);
  });

  it('still accepts recovery codes while the key for secrets is missing or damaged, which doctor reports', async () => {
    const { secret, recovery } = await setUp();
    const faultWith = (breakKey: () => Promise<void>) =>
      breakKey().then(async () => {
        const { config } = test.app;
        const app = await test.openAnother({ log: test.app.log });
        const server = await serve(app);
        try {
          const statuses: number[] = [];
          for (const code of [await codeOf(secret), recovery.pop()]) {
            const body = { email: user.email, password: user.password, code };
            statuses.push((await callApi(`${server.url}/api/auth/login`, { body })).status);
          }
          assert.deepEqual(statuses, [401, 200]);
          const found = await examineSecrets(config, app);
          assert.deepEqual(
            found.map(({ status }) => status),
            ['failed'],
          );
          return await findKeyFault(app);
        } finally {
          await server.stop();
          await app.close();
        }
      });
    const file = `${test.app.config.database.path}.key`;
    const whole = await readFile(file, 'utf8');
    assert.match((await faultWith(() => writeFile(file, 'short'))) ?? '', /is incomplete/);
    assert.match((await faultWith(() => writeFile(file, 'x'.repeat(43)))) ?? '', /does not fit/);
    assert.match((await faultWith(() => rm(file))) ?? '', /is missing/);
    await writeFile(file, whole, { mode: 0o600 });
    assert.equal(await findKeyFault(test.app), undefined);
  });

  it('stays required after a change of the password', async () => {
    const { secret } = await setUp();
    const password = 'another good password';
    await setPasswordHash(test.app, user.id, await test.app.passwords.hash(password, 1));
    const changed = { ...user, password };
    assert.deepEqual(await outcome('login', undefined, changed), required);
    assert.equal((await post('login', await codeOf(secret), changed)).status, 200);
  });
});
