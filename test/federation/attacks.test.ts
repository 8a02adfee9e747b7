import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { signAccessToken } from '../../src/accounts/tokens/access-tokens.js';
import { endAllAccess } from '../../src/accounts/users/sessions.js';
import { updateUser } from '../../src/accounts/users/manage-users.js';
import {
  revokeWidgetKey,
  rotateSecret,
  type KeyWithSecret,
} from '../../src/federation/manage-widget-keys.js';
import { signVisitorToken } from '../../src/federation/visitor-tokens.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { addAccount, link } from '../support/accounts.js';
import { callApi } from '../support/api-client.js';
import { forgeries } from '../support/forged-tokens.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { createTestClock } from '../support/test-clock.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';

interface Outcome {
  status: number;
  body: { code: string };
}

/** Tables that an attack must not change. */
const kept = ['account_links', 'link_tokens', 'end_users', 'conversations', 'usage_events'];

describe('An attack on a person’s identity', () => {
  const clock = createTestClock();
  const origin = 'https://acme.example';
  const hour = 3_600_000;
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let globex: TestOrganization;
  /** Keys of the app, of a second app, of another organization, and a revoked one. */
  let pair: KeyWithSecret;
  let second: KeyWithSecret;
  let foreign: KeyWithSecret;
  let revoked: KeyWithSecret;
  let revokedToken: string;
  let ada: TestUser;
  let eve: TestUser;

  before(async () => {
    test = await serveTestApp({ widget: { allow_localhost: true } }, clock);
    acme = await addOrganization(test);
    globex = await addOrganization(test, 'Globex');
    pair = await addKeyWithSecret(test, acme);
    const { id: appId } = await createApp(test.app, acme.operator, { name: 'Second' });
    second = await addKeyWithSecret(test, acme, { appId });
    foreign = await addKeyWithSecret(test, globex);
    revoked = await addKeyWithSecret(test, acme);
    ada = await addAccount(test, acme, 'Ada');
    eve = await addAccount(test, acme, 'Eve');
    for (const of of [pair, second, foreign]) await addUserToken(test, of, { externalId: 'ada' });
    for (const id of ['eve', 'bob', 'new']) await addUserToken(test, pair, { externalId: id });
    const made = await linkAs(ada, await tokenOf('ada'));
    assert.equal(made.status, 201);
  });
  after(() => test.close());
  beforeEach(async () => {
    // Some tests advance the clock beyond the end of access tokens.
    for (const account of [ada, eve]) {
      account.token = await signAccessToken(test.app, { userId: account.id }, 900);
    }
  });

  const tokenOf = (externalId: string, of = pair, more: object = {}) =>
    addUserToken(test, of, { externalId, ...more });
  const linkAs = (account: TestUser, token: string, { key } = pair) =>
    link(test, account, { widgetKey: key.key, token });
  const openWidget = (token: string, of?: KeyWithSecret) =>
    callApi<{ code: string; identity: { displayName: string | null } }>(
      `${test.url}/widget/config`,
      { token, headers: { Origin: origin }, ...(of === undefined ? {} : { key: of.key.key }) },
    );
  const mint = (of: KeyWithSecret, body: object, headers: Record<string, string> = {}) =>
    callApi<{ code: string; token: string }>(`${test.url}/widget/token`, {
      ...{ key: of.key.key, body },
      headers: { 'X-Widget-Secret': of.secret, ...headers },
    });
  const callMe = (token: string) =>
    callApi<{ code: string }>(`${test.url}/api/account-links`, { token });

  async function stateOf(): Promise<unknown> {
    const rows = [];
    for (const table of kept) rows.push(await test.app.db.read<object>(table).select('*'));
    const [log] = await test.app.db.read('audit_log').max({ last: 'id' });
    return JSON.stringify([rows, log]);
  }
  /** Expects this status and code, and unchanged tables. */
  async function gets(attack: () => Promise<Outcome>, status: number, code: string) {
    const before = await stateOf();
    const { status: got, body } = await attack();
    assert.deepEqual([got, body.code], [status, code]);
    assert.equal(await stateOf(), before);
  }

  /** False user tokens. */
  const shown: [name: string, show: () => Promise<string>][] = [
    ...forgeries.map(([name, forge]): [string, () => Promise<string>] => [
      name,
      async () => forge(await tokenOf('eve'), await tokenOf('ada')),
    ]),
    [
      'an expired token',
      async () => {
        const token = await tokenOf('bob', pair, { expiresIn: 60 });
        clock.advance(60_000);
        for (const account of [ada, eve]) {
          account.token = await signAccessToken(test.app, { userId: account.id }, 900);
        }
        return token;
      },
    ],
    ['a token of a revoked key', () => Promise.resolve(revokedToken)],
    ['an access token', () => Promise.resolve(eve.token)],
    [
      'a visitor token',
      async () =>
        (await signVisitorToken(test.app, { visitorId: randomUUID(), appId: acme.appId })).token,
    ],
    ['no token at all', () => Promise.resolve('ada')],
  ];

  before(async () => {
    revokedToken = await tokenOf('bob', revoked, { expiresIn: 86_400 });
    await revokeWidgetKey(test.app, acme.operator, revoked.key.id);
  });

  for (const [name, show] of shown) {
    it(`with ${name} creates no link, and opens no widget`, async () => {
      const token = await show();
      await gets(() => linkAs(eve, token), 422, 'unprocessable');
      await gets(() => openWidget(token), 401, 'unauthenticated');
    });
  }

  it('with a token of another app creates no link, and opens no widget of this app', async () => {
    const token = await tokenOf('ada', second);
    await gets(() => linkAs(eve, token), 422, 'unprocessable');
    await gets(() => openWidget(token, pair), 401, 'unauthenticated');
    await gets(() => openWidget(token), 403, 'origin_not_allowed');
  });

  it('with a token or a key of another organization creates no link', async () => {
    const token = await tokenOf('ada', foreign);
    await gets(() => linkAs(eve, token), 422, 'unprocessable');
    await gets(() => linkAs(eve, token, foreign), 404, 'not_found');
    const own = await tokenOf('bob');
    await gets(() => linkAs(eve, own, foreign), 404, 'not_found');
    await gets(() => openWidget(own, foreign), 401, 'unauthenticated');
  });

  it('with a revoked or an invented key creates no link', async () => {
    const token = await tokenOf('bob');
    await gets(() => linkAs(eve, token, revoked), 404, 'not_found');
    const body = { widgetKey: `wk_live_${'0'.repeat(32)}`, token };
    await gets(() => link(test, eve, body), 404, 'not_found');
  });

  it('with a user token or a visitor token reaches no account', async () => {
    const { token: visitor } = await signVisitorToken(test.app, {
      ...{ visitorId: randomUUID(), appId: acme.appId },
    });
    for (const token of [await tokenOf('ada'), visitor]) {
      await gets(() => callMe(token), 401, 'unauthenticated');
      const taken = { ...eve, token };
      const real = await tokenOf('bob');
      await gets(() => linkAs(taken, real), 401, 'unauthenticated');
    }
  });

  it('with the right secret gets no token from a browser', async () => {
    for (const from of [origin, 'https://evil.example', 'null', '']) {
      await gets(() => mint(pair, { externalId: 'ada' }, { Origin: from }), 403, 'forbidden');
    }
  });

  it('with a wrong secret, no secret or another key’s secret gets no token', async () => {
    const secrets = [second.secret, foreign.secret, revoked.secret, pair.secret.slice(0, -1), ''];
    for (const secret of secrets) {
      const headers = { 'X-Widget-Secret': secret };
      await gets(() => mint(pair, { externalId: 'ada' }, headers), 401, 'unauthenticated');
    }
    await gets(() => mint(revoked, { externalId: 'ada' }), 401, 'unauthenticated');
  });

  it('with the previous secret gets tokens only during the overlap of a rotation', async () => {
    const old = await addKeyWithSecret(test, acme);
    const rotated = await rotateSecret(test.app, acme.operator, old.key.id, {
      overlapSeconds: 3600,
    });
    for (const of of [old, rotated])
      assert.equal((await mint(of, { externalId: 'bob' })).status, 200);
    clock.advance(hour);
    await gets(() => mint(old, { externalId: 'bob' }), 401, 'unauthenticated');
    assert.equal((await mint(rotated, { externalId: 'bob' })).status, 200);
  });

  it('with another person’s id beside the token is refused', async () => {
    const token = await tokenOf('bob');
    for (const more of [{ externalId: 'ada' }, { userId: ada.id }, { app_id: acme.appId }]) {
      const body = { widgetKey: pair.key.key, token, ...more };
      await gets(() => link(test, eve, body), 400, 'invalid_request');
    }
  });

  it('with another person’s address and name gets no access to that account', async () => {
    const alike = [
      ada.email,
      ada.email.toUpperCase(),
      ada.email.replace('a', 'а'),
      ada.email.replace('ada', 'ａｄａ'),
    ];
    for (const [index, email] of alike.entries()) {
      const claims = { externalId: `like-${index}`, displayName: 'Ada' };
      // Not all of these are valid addresses. The refused ones are tried without an address.
      const first = await mint(pair, { ...claims, email });
      assert.ok([200, 400].includes(first.status), String(first.status));
      const token = first.status === 200 ? first.body.token : await tokenOf(claims.externalId);
      const before = await stateOf();
      assert.equal((await openWidget(token)).status, 200);
      const list = await callApi<{ pagination: { total: number } }>(
        `${test.url}/widget/conversations`,
        { token, headers: { Origin: origin } },
      );
      assert.equal(list.body.pagination.total, 0);
      assert.equal(await stateOf(), before);
    }
    const links = await test.app.db.read<{ user_id: number }>('account_links').select('user_id');
    assert.deepEqual(links, [{ user_id: ada.id }]);
    // An id that only looks the same belongs to another person too.
    const { body } = await openWidget(await tokenOf('аda', pair, { displayName: 'Not Ada' }));
    assert.equal(body.identity.displayName, 'Not Ada');
  });

  it('on a linked identity or account adds no second link', async () => {
    const stolen = await tokenOf('ada');
    await gets(() => linkAs(eve, stolen), 409, 'already_linked');
    const other = await tokenOf('bob');
    await gets(() => linkAs(ada, other), 409, 'already_linked');
  });

  it('with a token of an ended link creates no link again', async () => {
    const bob = await addAccount(test, acme, 'Bob');
    const token = await tokenOf('bob');
    const made = await linkAs(bob, token);
    assert.equal(made.status, 201);
    await gets(() => linkAs(eve, token), 409, 'already_linked');
    const path = `${test.url}/api/account-links/${made.body.id}`;
    await gets(() => callApi(path, { method: 'DELETE', token: eve.token }), 404, 'not_found');
    await callApi(path, { method: 'DELETE', token: bob.token });
    await gets(() => linkAs(eve, token), 422, 'unprocessable');
    // This holds for the account of the link too: otherwise a thief could restore an ended link.
    await gets(() => linkAs(bob, token), 422, 'unprocessable');
  });

  it('with a disabled account or ended sessions creates no link', async () => {
    const mallory = await addAccount(test, acme, 'Mallory');
    const token = await tokenOf('new');
    clock.advance(1);
    await endAllAccess(test.app, mallory.id);
    await gets(() => linkAs(mallory, token), 401, 'unauthenticated');
    clock.advance(1);
    mallory.token = await signAccessToken(test.app, { userId: mallory.id }, 900);
    await updateUser(test.app, acme.operator, { id: mallory.id, disabled: true });
    await gets(() => linkAs(mallory, token), 401, 'unauthenticated');
  });

  it('with a token of the widget’s own sign-in creates no link', async () => {
    const carol = await addAccount(test, acme, 'Carol');
    const { email, password } = carol;
    const signedIn = await callApi<{ token: string }>(`${test.url}/widget/login`, {
      ...{ key: pair.key.key, headers: { Origin: origin }, body: { email, password } },
    });
    assert.equal(signedIn.status, 200);
    await gets(() => linkAs(eve, signedIn.body.token), 422, 'unprocessable');
    await gets(() => linkAs(carol, signedIn.body.token), 422, 'unprocessable');
  });

  it('with two credentials at once is refused', async () => {
    const body = { widgetKey: pair.key.key, token: await tokenOf('bob') };
    const { token } = eve;
    const both = () => callApi(`${test.url}/api/account-links`, { token, key: pair.key.key, body });
    await gets(both, 401, 'unauthenticated');
  });
});
