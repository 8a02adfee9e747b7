import assert from 'node:assert/strict';
import { sendMessage } from '../../src/conversations/answering/running-answers.js';
import type { Actor } from '../../src/platform/actor.js';
import { codeOf } from '../../src/platform/errors.js';
import type { Problem } from '../../src/platform/http/problems.js';
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

interface QuotaBody {
  user_id: number | null;
  email: string | null;
  units_per_month: number | null;
  units_used: number;
  resets_at: string;
}

type ChangeRow = Record<'actor' | 'action' | 'subject' | 'before' | 'after', string>;

describe('Quotas', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let globex: TestOrganization;
  let ada: TestUser;
  let admin: TestUser;
  let stranger: TestUser;
  const nextMonth = '2026-04-01T00:00:00.000Z';

  beforeEach(async () => {
    // Quotas end with the month. The clock stands one minute before the end of March.
    clock = createTestClock('2026-03-31T23:59:00.000Z');
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    globex = await addOrganization(test, 'Globex');
    ada = await addUser(test, acme, 'user');
    admin = await addUser(test, acme, 'admin');
    stranger = await addUser(test, globex, 'admin');
  });
  afterEach(() => test.close());

  const ask = (token = ada.token) =>
    callApi(`${test.url}/api/conversations/message`, {
      token,
      body: {
        message: 'Which bolts does the crane need?',
        context: { url: 'https://acme.example/', title: '' },
      },
    });
  const put = <T = QuotaBody>(path: string, units: unknown, token = admin.token) =>
    callApi<T>(`${test.url}/api/admin/quotas/${path}`, {
      method: 'PUT',
      token,
      body: { units_per_month: units },
    });
  const list = async (token = admin.token) =>
    (await callApi<{ data: QuotaBody[] }>(`${test.url}/api/admin/quotas`, { token })).body.data;
  const own = async (token = ada.token) =>
    (await callApi<object>(`${test.url}/api/me/usage`, { token })).body;
  const stored = async (table: string) =>
    ((await test.app.db.read(table).count({ count: '*' }).first()) as { count: number }).count;

  const asUser = (): Actor => {
    const { organizationId } = acme.operator;
    return { kind: 'user', organizationId, userId: ada.id, role: 'user' };
  };
  const over = (channel: Channel, actor: Actor = asUser()) =>
    sendMessage(test.app, actor, {
      message: 'Which bolts does the crane need?',
      page: undefined,
      channel,
    }).then(
      () => 'answered',
      (error: unknown) => codeOf(error),
    );

  it('do not limit users who have none', async () => {
    for (let times = 0; times < 3; times++) assert.equal((await ask()).status, 200);
    assert.deepEqual(await own(), { units: 3, messages: 3, quota: null, resets_at: nextMonth });
    assert.deepEqual(await list(), []);
  });

  it('refuse a user’s next message when the monthly units are used up, and store nothing of it', async () => {
    assert.equal((await put(`users/${ada.id}`, 2)).status, 200);
    assert.equal((await ask()).status, 200);
    assert.equal((await ask()).status, 200);
    const before = [await stored('conversations'), await stored('messages')];
    const { status, headers, body } = await ask();
    assert.deepEqual(
      [status, body.code, headers.get('retry-after')],
      [429, 'quota_exceeded', '60'],
    );
    assert.match(body.detail, /2 units.*not kept.*2026-04-01/);
    assert.deepEqual([await stored('conversations'), await stored('messages')], before);
    assert.deepEqual(await own(), { units: 2, messages: 2, quota: 2, resets_at: nextMonth });
    // The quota applies to this user only.
    assert.equal((await ask(admin.token)).status, 200);

    clock.advance(60_000);
    assert.equal((await ask()).status, 200);
  });

  it('of 0 units allow nothing, and take effect at once when they are raised or removed', async () => {
    await put(`users/${ada.id}`, 0);
    assert.equal((await ask()).status, 429);
    await put(`users/${ada.id}`, 1);
    assert.equal((await ask()).status, 200);
    assert.equal((await ask()).status, 429);
    const removed = await put(`users/${ada.id}`, null);
    assert.deepEqual([removed.body.units_per_month, removed.body.units_used], [null, 1]);
    assert.equal((await ask()).status, 200);
    assert.deepEqual(await list(), []);
  });

  it('of an organization count its widget and its operator, but not its users', async () => {
    await put('organization', 2);
    assert.equal(await over('api'), 'answered');
    assert.equal(await over('extension'), 'answered');
    assert.equal(await over('widget'), 'answered');
    assert.equal(await over('cli', acme.operator), 'answered');
    assert.equal(await over('widget'), 'quota_exceeded');
    assert.equal(await over('cli', acme.operator), 'quota_exceeded');
    assert.equal(await over('api'), 'answered');
    assert.equal(await over('cli', globex.operator), 'answered');
  });

  it('of a user count the extension and the API, never the widget', async () => {
    await put(`users/${ada.id}`, 1);
    assert.equal(await over('widget'), 'answered');
    assert.equal(await over('extension'), 'answered');
    assert.equal(await over('extension'), 'quota_exceeded');
    assert.equal(await over('api'), 'quota_exceeded');
    assert.equal(await over('widget'), 'answered');
  });

  it('are exceeded at most by questions that are answered at the same time', async () => {
    await put(`users/${ada.id}`, 2);
    const atOnce = 4;
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: atOnce }, () => ask()));
    const { units } = (await own()) as { units: number };
    assert.ok(units >= 2 && units < 2 + atOnce, `${units}`);
    assert.equal((await ask()).status, 429);
  });

  it('are listed with the used units, for admins of the organization only', async () => {
    await put('organization', 1000);
    await put(`users/${ada.id}`, 50);
    await put(`users/${stranger.id}`, 7, stranger.token);
    await ask();
    await over('widget');
    const resets_at = nextMonth;
    assert.deepEqual(await list(), [
      { user_id: null, email: null, units_per_month: 1000, units_used: 1, resets_at },
      { user_id: ada.id, email: ada.email, units_per_month: 50, units_used: 1, resets_at },
    ]);
    const foreign = await list(stranger.token);
    assert.deepEqual(
      foreign.map(({ user_id }) => user_id),
      [stranger.id],
    );
  });

  it('can be set by admins only, for users of their own organization only', async () => {
    const backoffice = await addUser(test, acme, 'backoffice');
    for (const token of [ada.token, backoffice.token]) {
      assert.equal((await put('organization', 1, token)).status, 403);
      assert.equal((await put(`users/${ada.id}`, 1, token)).status, 403);
      assert.equal((await callApi(`${test.url}/api/admin/quotas`, { token })).status, 403);
    }
    assert.equal((await callApi(`${test.url}/api/admin/quotas`)).status, 401);
    for (const id of [stranger.id, 987_654, '9007199254740991']) {
      const { status, body } = await put<Problem>(`users/${id}`, 1);
      assert.deepEqual([status, body.code], [404, 'not_found']);
    }
    assert.equal(await stored('quotas'), 0);
  });

  it('must be whole numbers from 0 to 2,000,000,000', async () => {
    for (const units of [-1, 1.5, 2_000_000_001, 1e300, '5', undefined, [], {}]) {
      const { status, body } = await put<Problem>('organization', units);
      assert.deepEqual([status, body.code], [400, 'invalid_request'], JSON.stringify(units));
      assert.equal(body.errors?.[0]?.path, 'units_per_month');
    }
    assert.equal((await put('users/0', 1)).status, 400);
    assert.equal((await put('organization', 2_000_000_000)).body.units_per_month, 2_000_000_000);
  });

  it('are recorded in the audit log if they change', async () => {
    for (const units of [5, 5, 9, null, null]) await put(`users/${ada.id}`, units);
    await put('organization', 3);
    const changes = await test.app.db
      .read<ChangeRow>('audit_log')
      .where('action', 'like', 'quota.%')
      .orderBy('id')
      .select('*');
    const units = (text: string) =>
      (JSON.parse(text) as { units_per_month: number }).units_per_month;
    const subject = `user:${ada.id}`;
    assert.deepEqual(
      changes.map((one) => [
        one.actor,
        one.action,
        one.subject,
        units(one.before),
        units(one.after),
      ]),
      [
        [`user:${admin.id}`, 'quota.set', subject, null, 5],
        [`user:${admin.id}`, 'quota.set', subject, 5, 9],
        [`user:${admin.id}`, 'quota.remove', subject, 9, null],
        [`user:${admin.id}`, 'quota.set', `organization:${acme.operator.organizationId}`, null, 3],
      ],
    );
  });
});
