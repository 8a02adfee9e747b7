import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { KeyWithSecret } from '../../src/federation/manage-widget-keys.js';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { addAccount, link } from '../support/accounts.js';
import type { Problem } from '../../src/platform/http/problems.js';
import { callApi, type ApiReply } from '../support/api-client.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';

const seed = Number(process.env['PROPERTY_SEED'] ?? 20_260_301);
const runs = 25;

/** The possible steps, in any order. Numbers select one of two accounts, apps, and identities of each app. */
type Step =
  | { what: 'link' | 'token'; account: number; app: number; identity: number }
  | { what: 'unlink'; account: number; app: number }
  | { what: 'sign in'; account: number; app: number }
  | { what: 'ask the API' | 'ask the extension'; account: number; app: number; goesOn: boolean }
  | { what: 'ask a widget'; app: number; identity: number; goesOn: boolean }
  | { what: 'ask a widget signed in'; account: number; app: number; goesOn: boolean };

const one = fc.nat(1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    what: fc.constantFrom('link' as const, 'link' as const, 'token' as const),
    ...{ account: one, app: one, identity: one },
  }),
  fc.record({ what: fc.constant('unlink' as const), account: one, app: one }),
  fc.record({ what: fc.constant('sign in' as const), account: one, app: one }),
  fc.record({
    what: fc.constantFrom('ask the API' as const, 'ask the extension' as const),
    ...{ account: one, app: one, goesOn: fc.boolean() },
  }),
  fc.record({
    what: fc.constant('ask a widget' as const),
    ...{ app: one, identity: one, goesOn: fc.boolean() },
  }),
  fc.record({
    what: fc.constant('ask a widget signed in' as const),
    ...{ account: one, app: one, goesOn: fc.boolean() },
  }),
);

interface EventRow {
  id: number;
  channel: string;
  user_id: number | null;
  payer_user_id: number | null;
  payer_organization_id: number | null;
}

/** The site of an app: its key, and the host of its pages. */
interface Site {
  pair: KeyWithSecret;
  host: string;
}

describe(`The payer of a question, whatever is linked (PROPERTY_SEED=${seed}, ${runs} runs)`, () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let admin: TestUser;
  let accounts: TestUser[];
  let sites: Site[];
  /** User tokens of the accounts that have signed in by the form, and those of the identities. */
  const signedIn = new Map<string, string>();
  const vouched = new Map<string, string>();

  before(async () => {
    test = await serveTestApp({
      auth: { access_token_minutes: 1440 },
      widget: { allow_localhost: true },
    });
    acme = await addOrganization(test);
    admin = await addUser(test, acme, 'admin');
    accounts = [await addAccount(test, acme, 'Ada'), await addAccount(test, acme, 'Bob')];
    const { id } = await createApp(test.app, acme.operator, { name: 'Shop' });
    await claimDomain(test.app, acme.operator, { host: 'shop.example', appId: id });
    sites = [
      { pair: await addKeyWithSecret(test, acme), host: acme.domain },
      { pair: await addKeyWithSecret(test, acme, { appId: id }), host: 'shop.example' },
    ];
  });
  after(() => test.close());

  const at = <T>(list: T[], index: number): T => {
    const found = list[index];
    assert.ok(found !== undefined);
    return found;
  };
  const vouch = async (app: number, identity: number): Promise<string> => {
    const key = `${app}/${identity}`;
    const known = vouched.get(key);
    if (known !== undefined) return known;
    const token = await addUserToken(test, at(sites, app).pair, {
      externalId: `person-${identity}`,
    });
    vouched.set(key, token);
    return token;
  };
  const signIn = async (app: number, account: number): Promise<string> => {
    const { pair, host } = at(sites, app);
    const { email, password } = at(accounts, account);
    const { status, body } = await callApi<{ token: string }>(`${test.url}/widget/login`, {
      ...{ key: pair.key.key, headers: { Origin: `https://${host}` }, body: { email, password } },
    });
    assert.equal(status, 200);
    signedIn.set(`${app}/${account}`, body.token);
    return body.token;
  };

  /** Asks a question, in the caller’s latest conversation if `goesOn` is set. */
  async function ask(
    path: '/api/conversations' | '/widget',
    token: string,
    { app, goesOn, ...more }: { app: number; goesOn: boolean; channel?: string },
  ): Promise<void> {
    const { host } = at(sites, app);
    const headers = { Origin: `https://${host}` };
    const options = path === '/widget' ? { token, headers } : { token };
    const list = path === '/widget' ? '/widget/conversations' : path;
    const known = goesOn
      ? (await callApi<{ data: { id: string }[] }>(test.url + list, options)).body.data
      : [];
    // The latest conversation in the caller's list, of any channel.
    const conversationId = known[0]?.id;
    const body = {
      ...{ message: 'How often is the pump oiled?', ...more },
      context: { url: `https://${host}/`, title: '' },
      ...(conversationId === undefined ? {} : { conversationId }),
    };
    const { status } = await callApi(`${test.url}${path}/message`, { ...options, body });
    assert.equal(status, 200);
  }

  /** Does a step. Returns the expected channel and payer if the step asks a question. */
  async function take(step: Step): Promise<[channel: string, payer: number | null] | undefined> {
    switch (step.what) {
      case 'token':
        vouched.delete(`${step.app}/${step.identity}`);
        await vouch(step.app, step.identity);
        return undefined;
      case 'link': {
        const body = {
          widgetKey: at(sites, step.app).pair.key.key,
          token: await vouch(step.app, step.identity),
        };
        const { status } = await link(test, at(accounts, step.account), body);
        assert.ok([200, 201, 409, 422].includes(status), String(status));
        return undefined;
      }
      case 'unlink': {
        const { appId } = at(sites, step.app).pair.key;
        const url = `${test.url}/api/account-links?app_id=${appId}`;
        await callApi(url, { method: 'DELETE', token: at(accounts, step.account).token });
        return undefined;
      }
      case 'sign in':
        await signIn(step.app, step.account);
        return undefined;
      case 'ask the API':
      case 'ask the extension': {
        const { id, token } = at(accounts, step.account);
        const channel = step.what === 'ask the API' ? 'api' : 'extension';
        const { app, goesOn } = step;
        await ask('/api/conversations', token, { app, goesOn, channel });
        return [channel, id];
      }
      case 'ask a widget':
        await ask('/widget', await vouch(step.app, step.identity), placeOf(step));
        return ['widget', null];
      case 'ask a widget signed in': {
        const { app, account } = step;
        const token = signedIn.get(`${app}/${account}`) ?? (await signIn(app, account));
        await ask('/widget', token, placeOf(step));
        return ['widget', null];
      }
    }
  }
  const placeOf = ({ app, goesOn }: { app: number; goesOn: boolean }) => ({ app, goesOn });

  const unitsOf = async ({ token }: TestUser) =>
    (await callApi<{ units: number }>(`${test.url}/api/me/usage`, { token })).body.units;
  const totals = async () => {
    const url = `${test.url}/api/admin/usage`;
    const { body } = await callApi<{
      totals: { paid_by_organization: number; paid_by_users: number };
    }>(url, { token: admin.token });
    return body.totals;
  };

  it('is the organization for its widget, and the user for everything else', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      async (steps) => {
        for (const { token } of accounts) {
          await callApi(`${test.url}/api/account-links`, { method: 'DELETE', token });
        }
        const credits = await Promise.all(accounts.map(unitsOf));
        const before = await totals();
        const events = () => test.app.db.read<EventRow>('usage_events').orderBy('id').select('*');
        const known = (await events()).length;
        const expected: [string, number | null][] = [];
        for (const step of steps) {
          const asked = await take(step);
          if (asked !== undefined) expected.push(asked);
        }
        const made = (await events()).slice(known);
        assert.deepEqual(
          made.map(({ channel, payer_user_id }) => [channel, payer_user_id]),
          expected,
        );
        for (const row of made) {
          const { organizationId } = acme.operator;
          const isOrganizations = row.payer_user_id === null;
          assert.equal(row.payer_organization_id, isOrganizations ? organizationId : null);
        }
        // The users' own figures and the admin's figures agree.
        const paidBy = (id: number) => expected.filter(([, payer]) => payer === id).length;
        for (const [index, account] of accounts.entries()) {
          assert.equal(await unitsOf(account), (credits[index] ?? 0) + paidBy(account.id));
        }
        const after = await totals();
        const widget = expected.filter(([channel]) => channel === 'widget').length;
        assert.equal(after.paid_by_organization, before.paid_by_organization + widget);
        assert.equal(after.paid_by_users, before.paid_by_users + expected.length - widget);
      },
    );
    await fc.assert(property, { seed, numRuns: runs });
  }).timeout(120_000);

  it('is the organization for a linked person in the widget, although the report names the account', async () => {
    const [ada] = accounts;
    assert.ok(ada);
    await callApi(`${test.url}/api/account-links`, { method: 'DELETE', token: ada.token });
    const { pair } = at(sites, 0);
    const token = await addUserToken(test, pair, { externalId: 'named' });
    const report = async () => {
      const url = `${test.url}/api/admin/usage?group_by=user&channel=widget&user_id=${ada.id}`;
      const { body } = await callApi<{
        totals: { messages: number; paid_by_organization: number; paid_by_users: number };
      }>(url, { token: admin.token });
      return body.totals;
    };
    const before = await report();
    const asked = { app: 0, goesOn: false };
    await ask('/widget', token, asked);
    assert.deepEqual(await report(), before);
    await link(test, ada, { widgetKey: pair.key.key, token });
    await ask('/widget', token, asked);
    const after = await report();
    assert.deepEqual([after.messages - before.messages, after.paid_by_users], [1, 0]);
    assert.equal(after.paid_by_organization - before.paid_by_organization, 1);
  });

  it('can’t be changed by a channel that a client of the API names', async () => {
    const [ada] = accounts;
    assert.ok(ada);
    for (const channel of ['widget', 'cli', 'none', '', null, 1]) {
      const body = {
        message: 'How?',
        context: { url: 'https://acme.example/', title: '' },
        channel,
      };
      const url = `${test.url}/api/conversations/message`;
      const refused: ApiReply<Problem> = await callApi(url, { token: ada.token, body });
      assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request']);
    }
  });
});
