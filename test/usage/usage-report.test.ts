import assert from 'node:assert/strict';
import { signAccessToken } from '../../src/accounts/tokens/access-tokens.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { recordUsage } from '../../src/usage/charge-answer.js';
import type { Channel } from '../../src/usage/payer.js';
import { callApi } from '../support/api-client.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';

interface Report {
  data: Record<string, unknown>[];
  pagination: { total: number; page: number; limit: number };
  totals: { messages: number; units: number; paid_by_organization: number; paid_by_users: number };
  from: string;
  to: string;
}

describe('The usage report', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let otherApp: number;
  let ada: TestUser;
  let admin: TestUser;
  let stranger: TestUser;
  let messageId = 0;

  before(async () => {
    clock = createTestClock('2026-02-28T23:59:59.999Z');
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    const globex = await addOrganization(test, 'Globex');
    otherApp = (await createApp(test.app, acme.operator, { name: 'Other' })).id;
    ada = await addUser(test, acme, 'user');
    const use = (
      channel: Channel,
      units: number,
      options: { organization?: TestOrganization; appId?: number | null; userId?: number } = {},
    ) => {
      const { organization = acme, appId = organization.appId, userId = ada.id } = options;
      return recordUsage(test.app, {
        organizationId: organization.operator.organizationId,
        ...{ appId, channel, units, messageId: ++messageId },
        userId: channel === 'cli' ? undefined : userId,
      });
    };
    await use('api', 1000);
    clock.advance(1);
    await use('api', 10);
    await use('widget', 20);
    await use('extension', 5, { appId: otherApp });
    clock.advance(2 * 86_400_000);
    await use('cli', 40, { appId: null });
    await use('api', 1, { organization: globex, userId: 987 });
    // The clock was advanced, so access tokens have expired.
    ada.token = await signAccessToken(test.app, { userId: ada.id }, 900);
    admin = await addUser(test, acme, 'admin');
    stranger = await addUser(test, globex, 'admin');
  });
  after(() => test.close());

  const report = async (query = '', token = admin.token) =>
    (await callApi<Report>(`${test.url}/api/admin/usage${query}`, { token })).body;
  const sums = (messages: number, units: number, organization: number) => ({
    ...{ messages, units },
    ...{ paid_by_organization: organization, paid_by_users: units - organization },
  });

  it('shows the days of this month, the latest first, with totals', async () => {
    assert.deepEqual(await report(), {
      data: [
        { day: '2026-03-03', ...sums(1, 40, 40) },
        { day: '2026-03-01', ...sums(3, 35, 20) },
      ],
      pagination: { total: 2, page: 1, limit: 20 },
      totals: sums(4, 75, 60),
      ...{ from: '2026-03-01', to: '2026-03-03' },
    });
  });

  it('covers the requested days, including the first and the last', async () => {
    const of = async (query: string) => {
      const { from, to, totals } = await report(query);
      return [from, to, totals.units];
    };
    assert.deepEqual(await of('?from=2026-02-28&to=2026-02-28'), [
      '2026-02-28',
      '2026-02-28',
      1000,
    ]);
    assert.deepEqual(await of('?from=2026-02-01'), ['2026-02-01', '2026-03-03', 1075]);
    assert.deepEqual(await of('?to=2026-02-28'), ['2026-02-01', '2026-02-28', 1000]);
    assert.deepEqual(await of('?to=2026-03-01'), ['2026-03-01', '2026-03-01', 35]);
    assert.deepEqual(await of('?from=2027-01-01'), ['2027-01-01', '2027-01-01', 0]);
    assert.deepEqual((await report('?from=2027-01-01')).data, []);
  });

  it('sums by one or several groups, with null for no user and no app', async () => {
    const by = async (groups: string) => (await report(`?group_by=${groups}`)).data;
    assert.deepEqual(await by('channel'), [
      { channel: 'api', ...sums(1, 10, 0) },
      { channel: 'cli', ...sums(1, 40, 40) },
      { channel: 'extension', ...sums(1, 5, 0) },
      { channel: 'widget', ...sums(1, 20, 20) },
    ]);
    assert.deepEqual(await by('user,app'), [
      { user_id: null, app_id: null, ...sums(1, 40, 40) },
      { user_id: ada.id, app_id: acme.appId, ...sums(2, 30, 20) },
      { user_id: ada.id, app_id: otherApp, ...sums(1, 5, 0) },
    ]);
    assert.deepEqual(await by('day,day'), (await report()).data);
    assert.equal((await by('day,app,channel,user')).length, 4);
  });

  it('can be filtered by app, channel and user', async () => {
    const units = async (query: string) => (await report(query)).totals.units;
    assert.equal(await units(`?app_id=${otherApp}`), 5);
    assert.equal(await units('?channel=widget'), 20);
    assert.equal(await units(`?user_id=${ada.id}`), 35);
    assert.equal(await units(`?user_id=${ada.id}&channel=api`), 10);
    assert.equal(await units('?user_id=987654321'), 0);
  });

  it('is paged, with the totals of all pages', async () => {
    const all = await report('?group_by=channel');
    const second = await report('?group_by=channel&page=2&limit=3');
    assert.deepEqual(second.data, all.data.slice(3));
    assert.deepEqual(second.pagination, { total: 4, page: 2, limit: 3 });
    assert.deepEqual(second.totals, all.totals);
  });

  it('is for admins only, about their own organization', async () => {
    assert.equal((await report('', stranger.token)).totals.units, 1);
    assert.equal((await report(`?user_id=${ada.id}`, stranger.token)).totals.units, 0);
    const backoffice = await addUser(test, acme, 'backoffice');
    for (const [token, expected] of [
      [backoffice.token, 403],
      [ada.token, 403],
      ['no token', 401],
    ] as const) {
      const { status } = await callApi(`${test.url}/api/admin/usage`, { token });
      assert.equal(status, expected);
    }
    const foreign = `?app_id=${acme.appId}`;
    const { status } = await callApi(`${test.url}/api/admin/usage${foreign}`, {
      token: stranger.token,
    });
    assert.equal(status, 404);
  });

  it('refuses invalid days, groups and periods, with the field’s name', async () => {
    for (const [query, path] of [
      ['from=yesterday', 'from'],
      ['from=2026-02-30', 'from'],
      ['to=2026-3-1', 'to'],
      ['from=2026-03-02&to=2026-03-01', 'to'],
      ['group_by=month', 'group_by'],
      ['group_by=day;channel', 'group_by'],
      ['group_by=', 'group_by'],
      ['app_id=x', 'app_id'],
      ['user_id=99999999999999999999', 'user_id'],
      ['channel=mail', 'channel'],
      ['by=day', 'by'],
    ] as const) {
      const url = `${test.url}/api/admin/usage?${query}`;
      const { status, body } = await callApi(url, { token: admin.token });
      assert.deepEqual([status, body.code], [400, 'invalid_request'], query);
      assert.equal(body.errors?.[0]?.path, path, query);
    }
  });

  it('shows a user only their own month, without units that the organization paid', async () => {
    const { body } = await callApi(`${test.url}/api/me/usage`, { token: ada.token });
    assert.deepEqual(body, {
      ...{ units: 15, messages: 2, quota: null },
      resets_at: '2026-04-01T00:00:00.000Z',
    });
  });
});
