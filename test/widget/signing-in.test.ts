import assert from 'node:assert/strict';
import { generate } from 'otplib';
import {
  beginSecondFactor,
  confirmSecondFactor,
} from '../../src/accounts/users/manage-second-factor.js';
import { deleteUser, resetPassword, updateUser } from '../../src/accounts/users/manage-users.js';
import { revokeWidgetKey } from '../../src/federation/manage-widget-keys.js';
import { updateRequest } from '../../src/requests/update-request.js';
import { callApi } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import { addKeyWithSecret, addUserToken, addWidgetKey } from '../support/widget-keys.js';
import { welcomeWidget } from '../support/widget-client.js';

interface SignedIn {
  token: string;
  expiresIn: number;
  displayName: string;
}

describe('The widget’s sign-in form', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let key: string;
  let ada: TestUser;
  const origin = 'https://acme.example';

  beforeEach(async () => {
    clock = createTestClock();
    test = await serveTestApp({ mail: { host: 'mail.example', from: 'a@acme.example' } }, clock);
    acme = await addOrganization(test);
    key = await addWidgetKey(test, acme, 'public');
    ada = await addUser(test, acme, 'user');
  });
  afterEach(() => test.close());

  const login = (
    { email, password }: { email: string; password: string },
    headers: Record<string, string> = { 'X-Widget-Key': key },
  ) =>
    callApi<SignedIn & { code?: string; detail?: string }>(`${test.url}/widget/login`, {
      headers: { Origin: origin, ...headers },
      body: { email, password },
    });
  const config = (token: string) =>
    callApi<{ identity: { kind: string; displayName: string | null }; code?: string }>(
      `${test.url}/widget/config`,
      { token, headers: { Origin: origin } },
    );

  it('issues a token that only the widget accepts, for the configured hours', async () => {
    const { status, body } = await login(ada);
    assert.equal(status, 200);
    assert.deepEqual([body.expiresIn, body.displayName], [8 * 3600, 'user-1']);
    const { identity } = (await config(body.token)).body;
    assert.deepEqual(identity, { kind: 'end_user', displayName: 'user-1', hasEmail: true });
    // No access token, and no visitor's.
    assert.equal((await callApi(`${test.url}/api/me`, { token: body.token })).status, 401);
    assert.equal(
      (await login(ada, { 'X-Widget-Key': key, 'X-Visitor-Token': body.token })).status,
      401,
    );
    clock.advance(8 * 3600 * 1000 + 1000);
    assert.equal((await config(body.token)).status, 401);
  });

  it('shows authenticated entries to one end user and bills the organization', async () => {
    const content = 'The vault opens at nine every morning.';
    await storeEntry(test, acme, { title: 'Vault', content, visibility: 'authenticated' });
    const ask = async (token: string) =>
      callApi<{ conversationId: string; sources: unknown[]; visitorToken?: string }>(
        `${test.url}/widget/message`,
        {
          ...{ token, headers: { Origin: origin, 'X-Widget-Key': key } },
          body: { message: 'When does the vault open?', context: { url: `${origin}/`, title: '' } },
        },
      );
    const first = await ask((await login(ada)).body.token);
    assert.equal(first.body.sources.length, 1);
    assert.equal(first.body.visitorToken, undefined);
    const list = await callApi<{ data: { id: string }[] }>(`${test.url}/widget/conversations`, {
      ...{ token: (await login(ada)).body.token, headers: { Origin: origin } },
    });
    assert.equal(list.body.data[0]?.id, first.body.conversationId);
    const [event] = await test.app.db.read<{ [column: string]: unknown }>('usage_events');
    assert.deepEqual(
      [event?.['payer_organization_id'], event?.['payer_user_id']],
      [acme.operator.organizationId, null],
    );
    assert.equal((await test.app.db.read('end_users')).length, 1);
  });

  it('gives the same refusal for a wrong address, password, account or organization', async () => {
    const globex = await addOrganization(test, 'Globex');
    const stranger = await addUser(test, globex, 'admin');
    const guarded = await addUser(test, globex, 'user');
    const shown = { ...guarded, address: '127.0.0.1' };
    const { secret } = await beginSecondFactor(test.app, shown);
    const code = await generate({ secret, epoch: Math.floor(clock.now().getTime() / 1000) });
    await confirmSecondFactor(test.app, { ...shown, code });
    const disabled = await addUser(test, acme, 'backoffice');
    await updateUser(test.app, acme.operator, { id: disabled.id, disabled: true });
    const refusals = [];
    for (const one of [
      { ...ada, password: 'wrong' },
      { email: 'nobody@example.com', password: ada.password },
      stranger,
      guarded,
      disabled,
    ]) {
      const { status, body } = await login(one);
      refusals.push(`${status} ${body.code} ${body.detail}`);
    }
    assert.equal(new Set(refusals).size, 1);
    assert.match(refusals[0] ?? '', /^401 unauthenticated/);
    assert.equal((await test.app.db.read('end_users')).length, 0);
  });

  it('counts wrong passwords together with those of /api', async () => {
    const wrong = { ...ada, password: 'wrong' };
    const attempts = test.app.config.auth.login_attempts;
    for (let i = 0; i < attempts; i += 1) await login(wrong);
    const { status, headers } = await login(ada);
    assert.equal(status, 429);
    assert.ok(Number(headers.get('retry-after')) > 0);
    const { email, password } = ada;
    const api = await callApi(`${test.url}/api/auth/login`, { body: { email, password } });
    assert.equal(api.status, 429);
  });

  it('requires a valid key of the app and a page of that app', async () => {
    const host = await addKeyWithSecret(test, acme);
    const userToken = await addUserToken(test, host);
    const revoked = await addWidgetKey(test, acme, 'public', { revoked: true });
    for (const headers of [
      {},
      { 'X-Widget-Key': revoked },
      { Authorization: `Bearer ${userToken}` },
      { Authorization: `Bearer ${ada.token}` },
    ]) {
      assert.equal((await login(ada, headers)).status, 401);
    }
    const both = { Authorization: `Bearer ${userToken}`, 'X-Widget-Key': key };
    assert.equal((await login(ada, both)).status, 200);
    const elsewhere = { 'X-Widget-Key': key, Origin: 'https://evil.example' };
    assert.equal((await login(ada, elsewhere)).body.code, 'origin_not_allowed');
  });

  it('ends the session at once when the password changes or the account or key is removed', async () => {
    const { operator } = acme;
    const open = async () => {
      const { token } = (await login(ada)).body;
      assert.equal((await config(token)).status, 200);
      return token;
    };
    const first = await open();
    await resetPassword(test.app, operator, { id: ada.id, password: ada.password });
    assert.equal((await config(first)).status, 401);
    clock.advance(5);
    const second = await open();
    await updateUser(test.app, operator, { id: ada.id, disabled: true });
    assert.equal((await config(second)).status, 401);
    await updateUser(test.app, operator, { id: ada.id, disabled: false });
    assert.equal((await config(second)).status, 401);
    clock.advance(5);
    const third = await open();
    const own = await addKeyWithSecret(test, acme);
    const { token } = (await login(ada, { 'X-Widget-Key': own.key.key })).body;
    await revokeWidgetKey(test.app, operator, own.key.id);
    assert.equal((await config(token)).status, 401);
    assert.equal((await config(third)).status, 200);
    await deleteUser(test.app, operator, ada.id);
    assert.equal((await config(third)).status, 401);
    assert.equal((await test.app.db.read('end_users')).length, 0);
  });

  it('ends a WebSocket session when the account is disabled', async () => {
    const { token } = (await login(ada)).body;
    const client = await welcomeWidget(test.url, origin, { userToken: token });
    await updateUser(test.app, acme.operator, { id: ada.id, disabled: true });
    const context = { url: `${origin}/`, title: '' };
    client.send({ type: 'message', id: 'q', message: 'Still there?', context });
    assert.equal((await client.next('error', 'q')).code, 'unauthenticated');
    await client.close();
  });

  it('uses the account’s current name and address', async () => {
    const { token } = (await login(ada)).body;
    const filed = await callApi<{ id: number }>(`${test.url}/widget/requests`, {
      ...{ token, headers: { Origin: origin }, body: { question: 'Who knows?' } },
    });
    await updateUser(test.app, acme.operator, {
      ...{ id: ada.id, email: 'new@example.com', displayName: 'Ada L.' },
    });
    assert.equal((await config(token)).body.identity.displayName, 'Ada L.');
    const { id } = filed.body;
    const change = { status: 'resolved', response: 'I do.' } as const;
    const resolved = await updateRequest(test.app, acme.operator, id, change);
    assert.equal(resolved.requester?.name, 'Ada L.');
    const sent = await test.app.db.read<{ target: string }>('outbox_deliveries');
    assert.deepEqual(
      sent.map(({ target }) => target),
      ['new@example.com'],
    );
  });

  it('gives an identity that no host can claim with an external id', async () => {
    const { token } = (await login(ada)).body;
    const [row] = await test.app.db.read<{ external_id: string }>('end_users');
    assert.match(row?.external_id ?? '', /^user:[\w-]{43}$/);
    const host = await addKeyWithSecret(test, acme);
    for (const externalId of [String(ada.id), `user:${ada.id}`, ada.email]) {
      const issued = await addUserToken(test, host, { externalId, displayName: 'Eve' });
      assert.equal((await config(issued)).body.identity.displayName, 'Eve');
    }
    assert.equal((await config(token)).body.identity.displayName, 'user-1');
  });
});
