import assert from 'node:assert/strict';
import { deleteUser, updateUser } from '../../src/accounts/users/manage-users.js';
import { mintToken } from '../../src/accounts/users/mint-token.js';
import { linkAccount } from '../../src/linking/link-account.js';
import type { KeyWithSecret } from '../../src/federation/manage-widget-keys.js';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import { codeOf } from '../../src/platform/errors.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { addAccount, link, type LinkBody } from '../support/accounts.js';
import { callApi } from '../support/api-client.js';
import { auditLogOf } from '../support/audit-log.js';
import {
  addOrganization,
  onSqlite,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { startHost } from '../support/run-cli.js';
import { createTestClock } from '../support/test-clock.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';

interface ListBody {
  data: LinkBody[];
  pagination: { total: number };
  app?: { id: number; name: string };
  linkable?: boolean;
  code: string;
}

describe('Account links', () => {
  const clock = createTestClock();
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let pair: KeyWithSecret;
  let ada: TestUser;
  let count = 0;
  const origin = 'http://localhost';

  before(async () => {
    test = await serveTestApp({ widget: { allow_localhost: true } }, clock);
    acme = await addOrganization(test);
    pair = await addKeyWithSecret(test, acme);
  });
  after(() => test.close());
  beforeEach(async () => {
    count += 1;
    ada = await addAccount(test, acme, `Ada${count}`);
  });

  /** The request of the extension to link a person with this id of the key's host. */
  const declared = async (externalId: string, of: KeyWithSecret = pair, claims: object = {}) => ({
    widgetKey: of.key.key,
    token: await addUserToken(test, of, { externalId, ...claims }),
    origin,
  });
  const list = (account: TestUser, query = '') =>
    callApi<ListBody>(`${test.url}/api/account-links${query}`, { token: account.token });
  const end = (account: TestUser, rest = '') =>
    callApi(`${test.url}/api/account-links${rest}`, { method: 'DELETE', token: account.token });
  const acmeApp = () => ({ id: acme.appId, name: 'Acme app' });
  const secondApp = async () => {
    const { id } = await createApp(test.app, acme.operator, { name: `Second ${count}` });
    return { id, pair: await addKeyWithSecret(test, acme, { appId: id }) };
  };

  it('are created once, with the person’s name and e-mail from the host, and returned if requested again', async () => {
    const claims = { displayName: 'A. L.', email: 'ada@host.example' };
    const body = await declared(`one-${count}`, pair, claims);
    const made = await link(test, ada, body);
    assert.equal(made.status, 201);
    const { id, ...rest } = made.body;
    assert.deepEqual(rest, {
      app_id: acme.appId,
      app_name: 'Acme app',
      external_id: `one-${count}`,
      display_name: 'A. L.',
      email: 'ada@host.example',
      linked_at: '2026-03-01T09:00:00.000Z',
    });
    assert.equal(made.headers.get('location'), `/api/account-links/${id}`);
    clock.advance(1000);
    const again = await link(test, ada, body);
    assert.deepEqual([again.status, again.body], [200, made.body]);
    const another = await link(test, ada, await declared(`one-${count}`));
    assert.deepEqual([another.status, another.body], [200, made.body]);
    const read = await callApi<LinkBody>(`${test.url}/api/account-links/${id}`, ada);
    assert.deepEqual([read.status, read.body], [200, made.body]);
  });

  it('can be created with a token of another key of the same app', async () => {
    const other = await addKeyWithSecret(test, acme);
    const { token } = await declared(`any-${count}`, other);
    const made = await link(test, ada, { widgetKey: pair.key.key, token, origin });
    assert.equal(made.status, 201);
  });

  it('are listed for their own account only, all or those of the app of a widget key', async () => {
    const second = await secondApp();
    await link(test, ada, await declared(`list-${count}`));
    await link(test, ada, await declared(`list-${count}`, second.pair));
    const all = await list(ada);
    assert.deepEqual(
      all.body.data.map((one) => one.app_id),
      [acme.appId, second.id],
    );
    assert.equal(all.body.pagination.total, 2);
    const { body } = await list(ada, `?widget_key=${second.pair.key.key}`);
    assert.deepEqual(
      body.data.map((one) => one.app_id),
      [second.id],
    );
    const unknown = await list(ada, '?widget_key=wk_live_none');
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found']);
    const eve = await addAccount(test, acme, `Eve${count}`, 'admin');
    assert.deepEqual((await list(eve)).body.data, []);
    const [first] = all.body.data;
    assert.equal((await end(eve, `/${first?.id ?? 0}`)).status, 404);
    assert.equal((await end(eve)).status, 204);
    assert.equal((await list(ada)).body.pagination.total, 2);
  });

  it('can be deleted one by one, by app, or all at once, and then created again', async () => {
    const second = await secondApp();
    const made = await link(test, ada, await declared(`end-${count}`));
    await link(test, ada, await declared(`end-${count}`, second.pair));
    assert.equal((await end(ada, `?app_id=${second.id}`)).status, 204);
    assert.deepEqual(
      (await list(ada)).body.data.map(({ id }) => id),
      [made.body.id],
    );
    assert.equal((await end(ada, `/${made.body.id}`)).status, 204);
    assert.equal((await end(ada, `/${made.body.id}`)).status, 404);
    assert.deepEqual((await list(ada)).body.data, []);
    const anew = await link(test, ada, await declared(`end-${count}`));
    assert.equal(anew.status, 201);
    assert.equal((await end(ada, '?app_id=987654321')).status, 404);
    assert.equal((await end(ada)).status, 204);
    assert.deepEqual((await list(ada)).body.data, []);
  });

  it('are recorded in the audit log when they are created and deleted', async () => {
    const { body } = await link(test, ada, await declared(`log-${count}`));
    await end(ada, `/${body.id}`);
    const log = (await auditLogOf(test, acme)).filter(
      ({ subject }) => subject === `account_link:${body.id}`,
    );
    const [made, ended] = log;
    const actor = `user:${ada.id}`;
    assert.deepEqual(
      log.map((one) => [one.actor, one.action]),
      [
        [actor, 'account_link.create'],
        [actor, 'account_link.delete'],
      ],
    );
    assert.deepEqual(made?.after, ended?.before);
    const { user_id, external_id } = made?.after as { user_id: number; external_id: string };
    assert.deepEqual([user_id, external_id], [ada.id, `log-${count}`]);
  });

  it('can be created with a user’s named token, but not by the operator', async () => {
    const input = { userId: ada.id, name: 'laptop', days: undefined };
    const { token } = await mintToken(test.app, acme.operator, input);
    const body = await declared(`mint-${count}`);
    assert.equal((await link(test, { token }, body)).status, 201);
    await assert.rejects(linkAccount(test.app, acme.operator, body), { code: 'forbidden' });
  });

  it('can be created only with the origin of a page of the key’s app', async () => {
    const globex = await addOrganization(test, `Globex${count}`);
    const second = await secondApp();
    const host = `second${count}.acme.example`;
    await claimDomain(test.app, acme.operator, { host, appId: second.id });
    const body = await declared(`origin-${count}`);
    const asked = (origin: string) =>
      list(ada, `?widget_key=${pair.key.key}&origin=${encodeURIComponent(origin)}`);
    const { widgetKey, token } = body;
    const unsaid = await callApi<LinkBody>(`${test.url}/api/account-links`, {
      ...{ token: ada.token, body: { widgetKey, token } },
    });
    assert.deepEqual([unsaid.status, unsaid.body.errors[0]?.path], [400, 'origin']);
    const strange = [
      `https://${globex.domain}`,
      `https://${host}`,
      'https://nobody.example',
      'null',
      'no origin',
      `https://acme.example@${globex.domain}`,
      'https://acme.example/path',
    ];
    for (const origin of strange) {
      const refused = await link(test, ada, { ...body, origin });
      assert.deepEqual([refused.status, refused.body.code], [422, 'unprocessable'], origin);
      assert.deepEqual(
        refused.body.errors.map(({ path }) => path),
        ['origin'],
      );
      assert.equal((await asked(origin)).body.linkable, false, origin);
    }
    for (const origin of ['https://acme.example', 'http://acme.example:8080']) {
      const { linkable, app } = (await asked(origin)).body;
      assert.deepEqual({ linkable, app }, { linkable: true, app: acmeApp() });
    }
    assert.deepEqual((await list(ada)).body.data, []);
    const made = await link(test, ada, { ...body, origin: 'https://acme.example' });
    assert.equal(made.status, 201);
    const again = await link(test, ada, { ...body, origin: `https://${host}` });
    assert.equal(again.status, 422);
  });

  it('are listed with the app of a given key, and with linkable only for a given origin', async () => {
    const { body } = await list(ada, `?widget_key=${pair.key.key}`);
    assert.deepEqual(body.app, acmeApp());
    assert.equal('linkable' in body, false);
    const { body: all } = await list(ada);
    assert.deepEqual(Object.keys(all).sort(), ['data', 'pagination']);
    const refused = await list(ada, '?origin=https://acme.example');
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request']);
  });

  it('can be created on localhost only if the service allows it', async () => {
    const local = await serveTestApp({}, clock);
    try {
      const organization = await addOrganization(local);
      const key = await addKeyWithSecret(local, organization);
      const account = await addAccount(local, organization, 'Ada');
      const token = await addUserToken(local, key, { externalId: 'one' });
      const body = { widgetKey: key.key.key, token, origin: 'http://localhost:3000' };
      assert.equal((await link(local, account, body)).status, 422);
      const allowed = await link(test, ada, { ...(await declared('local')), origin: body.origin });
      assert.equal(allowed.status, 201);
    } finally {
      await local.close();
    }
  });

  it('are deleted with the account, after which the person can be linked to another account', async () => {
    await link(test, ada, await declared(`gone-${count}`));
    await deleteUser(test.app, acme.operator, ada.id);
    const bob = await addAccount(test, acme, `Bob${count}`);
    assert.equal((await link(test, bob, await declared(`gone-${count}`))).status, 201);
  });

  it('can be deleted by an admin of the organization, for example of a disabled account', async () => {
    const bob = await addAccount(test, acme, `Bob${count}`);
    const carl = await addAccount(test, acme, `Carl${count}`);
    const admin = await addAccount(test, acme, `Root${count}`, 'admin');
    const second = await secondApp();
    const body = await declared(`stuck-${count}`);
    const made = await link(test, bob, body);
    await link(test, bob, await declared(`stuck-${count}`, second.pair));
    await updateUser(test.app, acme.operator, { id: bob.id, disabled: true });
    assert.equal((await link(test, carl, await declared(`stuck-${count}`))).status, 409);
    const unlink = (by: TestUser, rest = '', id = bob.id) =>
      callApi<{ code: string }>(`${test.url}/api/admin/users/${id}/account-links${rest}`, {
        ...{ method: 'DELETE', token: by.token },
      });
    const globex = await addOrganization(test, `Globex${count}`);
    const stranger = await addAccount(test, globex, `Eve${count}`, 'admin');
    for (const [reply, status] of [
      [unlink(carl), 403],
      [unlink(stranger), 404],
      [unlink(admin, '', 987654321), 404],
      [unlink(admin, `?app_id=${globex.appId}`), 404],
    ] as const) {
      assert.equal((await reply).status, status);
    }
    assert.equal((await link(test, carl, await declared(`stuck-${count}`))).status, 409);
    assert.equal((await unlink(admin, `?app_id=${acme.appId}`)).status, 204);
    assert.equal((await link(test, carl, await declared(`stuck-${count}`))).status, 201);
    const taken = await link(test, carl, await declared(`stuck-${count}`, second.pair));
    assert.equal(taken.status, 409);
    assert.equal((await unlink(admin)).status, 204);
    assert.equal((await unlink(admin)).status, 204);
    const ended = (await auditLogOf(test, acme)).filter(
      ({ actor, action }) => actor === `user:${admin.id}` && action === 'account_link.delete',
    );
    assert.equal(ended.length, 2);
    assert.ok(ended.some(({ subject }) => subject === `account_link:${made.body.id}`));
    assert.equal((await list(carl)).body.pagination.total, 1);
  });

  onSqlite(it)('can be deleted on the command line, after --yes or as a dry run', async () => {
    await link(test, ada, await declared(`cli-${count}`));
    const host = startHost(test);
    try {
      const env = { ASSISTANT_DATABASE_PATH: test.app.config.database.path };
      const unlink = (...more: string[]) => host.run(['users', 'unlink', ada.email, ...more], env);
      assert.equal((await unlink()).code, 2);
      const tried = await unlink('--dry-run');
      assert.match(tried.stdout, /^\(dry run\) Ended 1 account link of ada/);
      assert.equal((await list(ada)).body.pagination.total, 1);
      const none = await unlink('--yes', '--app', 'Nowhere');
      assert.deepEqual([none.code, none.stdout], [3, '']);
      const done = await unlink('--yes', '--app', 'Acme app', '--json');
      const expected = { id: ada.id, email: ada.email, ended: 1 };
      assert.deepEqual(JSON.parse(done.stdout), expected);
      assert.equal((await list(ada)).body.pagination.total, 0);
      const last = (await auditLogOf(test, acme)).at(-1);
      assert.deepEqual([last?.actor, last?.action], ['operator', 'account_link.delete']);
    } finally {
      await host.stop();
    }
  });

  it('go to only one account if many request the same person at once, in two processes', async () => {
    const others = await Promise.all(
      [1, 2, 3, 4].map((number) => addAccount(test, acme, `Race${count}x${number}`)),
    );
    const body = await declared(`race-${count}`);
    const second = await test.openAnother({ clock });
    try {
      const asked = [ada, ...others].flatMap((account) => [
        link(test, account, body).then(({ status }) => [account.id, status]),
        linkAccount(
          second,
          {
            kind: 'user',
            organizationId: acme.operator.organizationId,
            userId: account.id,
            role: 'user',
          },
          body,
        ).then(
          ({ made }) => [account.id, made ? 201 : 200],
          (error: unknown) => [account.id, codeOf(error) === 'already_linked' ? 409 : 500],
        ),
      ]);
      const replies = await Promise.all(asked);
      const winners = replies.filter(([, status]) => status === 201);
      assert.equal(winners.length, 1, JSON.stringify(replies));
      const [winner] = winners[0] ?? [];
      for (const [account, status] of replies) {
        if (status !== 201) assert.equal(status, account === winner ? 200 : 409);
      }
    } finally {
      await second.close();
    }
  });

  it('are limited to one per app if an account requests several persons at once', async () => {
    const bodies = await Promise.all([1, 2, 3].map((one) => declared(`two-${count}-${one}`)));
    const replies = await Promise.all(bodies.map((body) => link(test, ada, body)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409]);
    assert.equal((await list(ada)).body.pagination.total, 1);
  });
});
