import assert from 'node:assert/strict';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { rotateSigningKey } from '../../src/accounts/tokens/signing-keys.js';
import { revokeWidgetKey, type KeyWithSecret } from '../../src/federation/manage-widget-keys.js';
import { verifyUserToken } from '../../src/federation/user-tokens.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { callApi, type CallOptions } from '../support/api-client.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { createTestClock } from '../support/test-clock.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';

interface TokenBody {
  token: string;
  expiresIn: number;
  code: string;
  errors: { path: string }[];
}

interface EndUserRow {
  id: number;
  app_id: number;
  external_id: string;
  email: string | null;
  display_name: string | null;
}

describe('The token request of a host’s backend', () => {
  const clock = createTestClock();
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let pair: KeyWithSecret;

  before(async () => {
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    pair = await addKeyWithSecret(test, acme);
  });
  after(() => test.close());

  const ask = (body: unknown, options: CallOptions = {}) =>
    callApi<TokenBody>(`${test.url}/widget/token`, {
      key: pair.key.key,
      body,
      ...options,
      headers: { 'X-Widget-Secret': pair.secret, ...options.headers },
    });
  const endUsers = async (externalId: string): Promise<EndUserRow[]> =>
    test.app.db.read<EndUserRow>('end_users').where({ external_id: externalId }).select('*');

  it('returns a signed token for an hour, with its audience, app, key and person', async () => {
    const { status, body } = await ask({ externalId: 'u-1' });
    assert.deepEqual([status, body.expiresIn], [200, 3600]);
    assert.deepEqual(Object.keys(body).sort(), ['expiresIn', 'token']);
    const claims = decodeJwt(body.token);
    const [endUser] = await endUsers('u-1');
    assert.equal(claims.aud, 'assistant:widget-user');
    assert.equal(claims.iss, 'assistant');
    assert.equal(claims.sub, String(endUser?.id));
    assert.deepEqual([claims['app'], claims['key']], [acme.appId, pair.key.id]);
    assert.equal((claims.exp ?? 0) - Math.floor(claims.iat ?? 0), 3600);
    assert.match(claims.jti ?? '', /^[\da-f-]{36}$/);
    const header = decodeProtectedHeader(body.token);
    assert.equal(header.alg, 'HS256');
    assert.ok(header.kid);
  });

  it('creates an end user once, and updates their address and name', async () => {
    await ask({ externalId: 'u-2', email: 'ada@example.com', displayName: 'Ada' });
    await ask({ externalId: 'u-2' });
    await ask({ externalId: 'u-2', displayName: 'Ada L.' });
    const [first, ...others] = await endUsers('u-2');
    assert.deepEqual([first?.email, first?.display_name], ['ada@example.com', 'Ada L.']);
    assert.equal(others.length, 0);
    await ask({ externalId: 'u-2', email: null });
    assert.equal((await endUsers('u-2'))[0]?.email, null);
    assert.equal((await endUsers('U-2')).length, 0);
  });

  it('creates one end user for many requests at once', async () => {
    const bodies = Array.from({ length: 8 }, (_, index) => ({
      externalId: 'u-3',
      displayName: `Name ${index}`,
    }));
    const replies = await Promise.all(bodies.map((body) => ask(body)));
    assert.ok(replies.every(({ status }) => status === 200));
    assert.equal((await endUsers('u-3')).length, 1);
    const subjects = replies.map(({ body }) => decodeJwt(body.token).sub);
    assert.equal(new Set(subjects).size, 1);
  });

  it('keeps people of two apps with the same id apart', async () => {
    const second = await createApp(test.app, acme.operator, { name: 'Second' });
    const other = await addKeyWithSecret(test, acme, { appId: second.id });
    await ask({ externalId: 'u-4' });
    await addUserToken(test, other, { externalId: 'u-4' });
    assert.deepEqual(
      (await endUsers('u-4')).map((row) => row.app_id),
      [acme.appId, second.id],
    );
  });

  it('returns a token with the requested lifetime, within its bounds', async () => {
    const { body } = await ask({ externalId: 'u-5', expiresIn: 60 });
    assert.equal(body.expiresIn, 60);
    const before = await verifyUserToken(test.app, body.token);
    clock.advance(60_000);
    const after = await verifyUserToken(test.app, body.token);
    assert.deepEqual([before?.keyId, after], [pair.key.id, undefined]);
    for (const expiresIn of [59, 86_401, 0, -1, 60.5, '60', 1e300, null]) {
      const refused = await ask({ externalId: 'u-5', expiresIn });
      assert.deepEqual([refused.status, refused.body.errors[0]?.path], [400, 'expiresIn']);
    }
  });

  it('answers 401 without the right secret', async () => {
    const globex = await addOrganization(test, 'Globex');
    const other = await addKeyWithSecret(test, globex);
    const revoked = await addKeyWithSecret(test, acme);
    await revokeWidgetKey(test.app, acme.operator, revoked.key.id);
    const { token } = await addUser(test, acme, 'admin');
    const { key } = pair.key;
    const body = { externalId: 'u-6' };
    const calls: CallOptions[] = [
      { key, body },
      { key, body, headers: { 'X-Widget-Secret': '' } },
      { key, body, headers: { 'X-Widget-Secret': `${pair.secret}x` } },
      { key, body, headers: { 'X-Widget-Secret': pair.secret.slice(0, -1) } },
      { key, body, headers: { 'X-Widget-Secret': other.secret } },
      { key, body, headers: { 'X-Widget-Secret': 'x'.repeat(8000) } },
      { key: other.key.key, body, headers: { 'X-Widget-Secret': pair.secret } },
      { key: revoked.key.key, body, headers: { 'X-Widget-Secret': revoked.secret } },
      { key: `wk_live_${'0'.repeat(32)}`, body, headers: { 'X-Widget-Secret': pair.secret } },
      { body, headers: { 'X-Widget-Secret': pair.secret } },
      { token, body },
      { token, key, body },
      { key, body: { anything: 'else' } },
    ];
    for (const call of calls) {
      const reply = await callApi(`${test.url}/widget/token`, call);
      assert.deepEqual([reply.status, reply.body.code], [401, 'unauthenticated']);
    }
    assert.equal((await endUsers('u-6')).length, 0);
  });

  it('answers 403 to a browser, even with the right secret', async () => {
    for (const Origin of [`https://${acme.domain}`, 'null', 'http://localhost:3000']) {
      for (const body of [{ externalId: 'u-7' }, { externalId: '' }]) {
        const reply = await ask(body, { headers: { Origin } });
        assert.deepEqual([reply.status, reply.body.code], [403, 'forbidden'], Origin);
      }
    }
    assert.equal((await endUsers('u-7')).length, 0);
  });

  it('answers 400 with the field’s path for an invalid field', async () => {
    const bad: [unknown, string][] = [
      [{}, 'externalId'],
      [{ externalId: '' }, 'externalId'],
      [{ externalId: 7 }, 'externalId'],
      [{ externalId: 'x'.repeat(256) }, 'externalId'],
      [{ externalId: 'a\u0000b' }, 'externalId'],
      [{ externalId: 'u', email: 'nobody' }, 'email'],
      [{ externalId: 'u', displayName: 'x'.repeat(201) }, 'displayName'],
      [{ externalId: 'u', role: 'admin' }, 'role'],
    ];
    for (const [body, path] of bad) {
      const reply = await ask(body);
      assert.deepEqual([reply.status, reply.body.errors[0]?.path], [400, path]);
    }
    const half = await ask('{"externalId":"\\udc00"}');
    assert.deepEqual([half.status, half.body.errors[0]?.path], [400, 'externalId']);
    assert.equal((await ask({ externalId: 'x'.repeat(255) })).status, 200);
    const plain = await ask({ externalId: 'u' }, { headers: { 'Content-Type': 'text/plain' } });
    assert.equal(plain.status, 415);
  });
});

describe('A user token', () => {
  const clock = createTestClock();
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let pair: KeyWithSecret;
  let token: string;

  before(async () => {
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    pair = await addKeyWithSecret(test, acme);
    token = await addUserToken(test, pair);
  });
  after(() => test.close());

  const page = (options: CallOptions) => {
    const url = encodeURIComponent(`https://${acme.domain}/`);
    return callApi(`${test.url}/api/knowledge/page?url=${url}`, options);
  };

  it('is refused as an access token', async () => {
    const paths = ['/api/knowledge', '/api/admin/users', '/api/admin/widget-keys', '/api/me'];
    for (const path of paths) {
      const { status, body } = await callApi(`${test.url}${path}`, { token });
      assert.deepEqual([status, body.code], [401, 'unauthenticated'], path);
    }
  });

  it('can’t be replaced by an access token', async () => {
    const { token: access } = await addUser(test, acme, 'admin');
    assert.equal(await verifyUserToken(test.app, access), undefined);
    assert.ok(await verifyUserToken(test.app, token));
  });

  it('is accepted with a key of its app, and refused with any other key', async () => {
    const second = await createApp(test.app, acme.operator, { name: 'Second' });
    const beside = await addKeyWithSecret(test, acme, { appId: second.id });
    const another = await addKeyWithSecret(test, acme);
    assert.equal((await page({ token, key: pair.key.key })).status, 200);
    assert.equal((await page({ token, key: another.key.key })).status, 200);
    assert.equal((await page({ token, key: beside.key.key })).status, 401);
    assert.equal((await page({ token, key: 'wk_live_unknown' })).status, 401);
    assert.equal((await page({ token, key: '' })).status, 401);
  });

  it('stays valid after a rotation of the signing key, until its own key is retired', async () => {
    const early = await addUserToken(test, pair);
    await rotateSigningKey(test.app, acme.operator, { retireOld: false });
    assert.equal((await page({ token: early })).status, 200);
    await rotateSigningKey(test.app, acme.operator, { retireOld: true });
    assert.equal((await page({ token: early })).status, 401);
    assert.equal((await page({ token: await addUserToken(test, pair) })).status, 200);
  });

  it('ends when its widget key is revoked', async () => {
    const doomed = await addKeyWithSecret(test, acme);
    const issued = await addUserToken(test, doomed);
    assert.equal((await page({ token: issued })).status, 200);
    await revokeWidgetKey(test.app, acme.operator, doomed.key.id);
    assert.equal((await page({ token: issued })).status, 401);
  });
});
