import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { rateMessage } from '../../src/conversations/rate-message.js';
import { sendMessage } from '../../src/conversations/answering/running-answers.js';
import type { Actor } from '../../src/platform/actor.js';
import { enforceRetention } from '../../src/privacy/enforce-retention.job.js';
import { setRetention } from '../../src/privacy/manage-retention.js';
import { retentionKinds } from '../../src/privacy/retention.js';
import { fileRequest } from '../../src/requests/file-request.js';
import { updateRequest } from '../../src/requests/update-request.js';
import { serve } from '../../src/main/serve.js';
import { listUsage } from '../../src/usage/read-usage.js';
import { auditLogOf } from '../support/audit-log.js';
import { callApi } from '../support/api-client.js';
import { addAccount } from '../support/accounts.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import {
  addOrganization,
  serveTestApp,
  type ConfigInput,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

const day = 86_400_000;
const forEver = Object.fromEntries(retentionKinds.map((kind) => [kind, 0])) as Record<
  (typeof retentionKinds)[number],
  number
>;

describe('Retention', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;

  async function open(config: ConfigInput = {}): Promise<void> {
    clock = createTestClock('2026-03-10T09:00:00.000Z');
    test = await serveTestApp(config, clock);
    acme = await addOrganization(test);
  }
  afterEach(() => test.close());

  const count = async (table: string): Promise<number> => {
    const row = (await test.app.db.read(table).count({ count: '*' }).first()) as { count: number };
    return row.count;
  };

  /** Stores one item of each kind, by a user of the organization. */
  async function use(organization = acme): Promise<void> {
    const { organizationId } = organization.operator;
    const name = `Ada${organizationId}${await count('users')}`;
    const { id: userId, email, password } = await addAccount(test, organization, name);
    const ada: Actor = { kind: 'user', organizationId, userId, role: 'user' };
    const { conversationId, messageId } = await sendMessage(test.app, ada, {
      ...{ message: 'When are the backups made?', page: undefined, channel: 'api' as const },
    });
    const comment = 'not what I asked';
    await rateMessage(test.app, ada, { conversationId, messageId, rating: 'down', comment });
    const { id } = await fileRequest(test.app, ada, { question: 'Who repairs the pump?' });
    const answer = { status: 'resolved', response: 'Grace does.' } as const;
    await updateRequest(test.app, organization.operator, id, answer);
    await callApi(`${test.url}/api/auth/login`, { body: { email, password } });
  }

  const tables = [
    ...['conversations', 'messages', 'message_feedback', 'knowledge_requests', 'notifications'],
    ...['usage_events', 'audit_log', 'sign_in_places'],
  ];
  const counts = async () => Promise.all(tables.map(count));

  it('keeps everything forever by default, except the places where people signed in', async () => {
    await open();
    await use();
    const before = await counts();
    clock.advance(4000 * day);
    assert.equal(await enforceRetention(test.app), 1);
    const after = await counts();
    assert.deepEqual(after.slice(0, 6), before.slice(0, 6));
    assert.equal(await count('sign_in_places'), 0);
  });

  for (const kind of retentionKinds) {
    it(`removes only ${kind} data after its days, and records the removal`, async () => {
      await open({ privacy: { retention: { ...forEver, [kind]: 40 } } });
      await use();
      const before = await test.app.db.read('audit_log').pluck('id');
      const first = await counts();
      // Nothing is removed before the end of the last day.
      clock.advance(40 * day);
      assert.equal(await enforceRetention(test.app), 0);
      assert.deepEqual(await counts(), first);
      clock.advance(day);
      const removed = await enforceRetention(test.app);
      assert.ok(removed > 0);
      const after = await counts();
      const gone = tables.filter((_, index) => (after[index] ?? 0) < (first[index] ?? 0));
      const expected: Record<(typeof retentionKinds)[number], string[]> = {
        conversations: ['conversations', 'messages', 'message_feedback'],
        requests: ['knowledge_requests'],
        notifications: ['notifications'],
        // Ratings and sums stay.
        ...{ feedback: [], usage: [] },
        audit: ['audit_log'],
        sign_in_places: ['sign_in_places'],
      };
      assert.deepEqual(gone, expected[kind]);
      const changes = await test.app.db.read('audit_log').whereNotIn('id', before).select('*');
      assert.deepEqual(
        changes.map((change: { actor: string; after: string }) => [
          change.actor,
          (JSON.parse(change.after) as { kind: string; rows: number }).kind,
          (JSON.parse(change.after) as { kind: string; rows: number }).rows,
        ]),
        [['retention', kind, removed]],
      );
      assert.equal(await enforceRetention(test.app), 0, 'nothing is left to do');
    });
  }

  it('deletes comments but keeps ratings', async () => {
    await open({ privacy: { retention: { ...forEver, feedback: 1 } } });
    await use();
    clock.advance(3 * day);
    await enforceRetention(test.app);
    const rows = await test.app.db.read('message_feedback').select('rating', 'comment');
    assert.deepEqual(rows, [{ rating: 'down', comment: null }]);
  });

  it('deletes the texts of removed requests from the audit log', async () => {
    await open({ privacy: { retention: { ...forEver, requests: 1 } } });
    await use();
    clock.advance(3 * day);
    await enforceRetention(test.app);
    const log = await auditLogOf(test, acme);
    const resolved = log.find(({ action }) => action === 'request.resolve');
    assert.deepEqual([resolved?.before, resolved?.after], [null, null]);
    assert.ok(!JSON.stringify(log).includes('Grace does.'));
  });

  it('combines the usage of past days into sums without people, and keeps the figures', async () => {
    await open({ privacy: { retention: { ...forEver, usage: 1 } } });
    await use();
    await use();
    clock.advance(day);
    await use();
    const figures = async () => {
      const { items, totals } = await listUsage(test.app, acme.operator, {
        ...{ page: 1, limit: 100, from: '2026-03-01', to: '2026-04-30' },
        groups: ['day', 'app', 'channel'],
      });
      return { items, totals };
    };
    const before = await figures();
    assert.equal(before.totals.messages, 3);
    clock.advance(20 * day);
    assert.equal(await enforceRetention(test.app), 0, 'the month counts for quotas');
    clock.advance(5 * day);
    assert.equal(await enforceRetention(test.app), 3);
    assert.deepEqual(await figures(), before);
    const rows = await test.app.db.read('usage_events').select('*');
    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => [
        row['user_id'],
        row['payer_user_id'],
        row['messages'],
      ]),
      [
        [null, 0, 2],
        [null, 0, 1],
      ],
    );
  });

  it('uses the days of each organization, or else of the configuration, and removes in slices', async () => {
    await open({ privacy: { retention: { ...forEver, conversations: 100 } } });
    const globex = await addOrganization(test, 'Globex');
    await use();
    await use(globex);
    await setRetention(test.app, acme.operator, { conversations: 10 });
    const now = clock.now().toISOString();
    const { organizationId } = acme.operator;
    const many = Array.from({ length: 1100 }, (_, index) => ({
      ...{ id: `slice-${index}`, organization_id: organizationId, channel: 'api', title: 'x' },
      ...{ created_at: now, updated_at: now },
    }));
    await test.app.db.write.batchInsert('conversations', many, 100);
    clock.advance(20 * day);
    assert.equal(await enforceRetention(test.app), 1101);
    assert.equal(await count('conversations'), 1);
    const slices = await test.app.db.read('audit_log').where({ action: 'retention.remove' });
    assert.equal(slices.length, 12);
    await setRetention(test.app, globex.operator, { conversations: 0 });
    clock.advance(200 * day);
    assert.equal(await enforceRetention(test.app), 0);
    await setRetention(test.app, globex.operator, { conversations: null });
    assert.equal(await enforceRetention(test.app), 1);
  });

  it('starts with the server, and removes nothing after the stop signal', async () => {
    await open({ privacy: { retention: { ...forEver, conversations: 1 } } });
    await use();
    clock.advance(5 * day);
    const stopped = new AbortController();
    stopped.abort();
    assert.equal(await enforceRetention(test.app, stopped.signal), 0);
    assert.equal(await count('conversations'), 1);
    const second = await serve(test.app);
    while ((await count('conversations')) > 0) await wait(10);
    await second.stop();
  });

  it('can be read and set over the API only by admins, and each change is recorded', async () => {
    await open();
    const boss = await addAccount(test, acme, 'Boss', 'admin');
    const staff = await addAccount(test, acme, 'Staff', 'backoffice');
    const url = `${test.url}/api/admin/retention`;
    const call = (token: string, body?: object) =>
      callApi<Record<string, { days: number; own: boolean }>>(url, {
        token,
        ...(body === undefined ? {} : { method: 'PUT', body }),
      });
    assert.equal((await call(staff.token)).status, 403);
    assert.equal((await call(staff.token, { audit: 1 })).status, 403);
    assert.equal((await call(boss.token, { audits: 1 })).status, 400);
    assert.equal((await call(boss.token, { audit: -1 })).status, 400);
    const set = await call(boss.token, { conversations: 30, sign_in_places: 0 });
    assert.deepEqual(set.body['conversations'], { days: 30, own: true });
    assert.deepEqual(set.body['sign_in_places'], { days: 0, own: true });
    assert.deepEqual(set.body['audit'], { days: 0, own: false });
    const back = await call(boss.token, { conversations: null });
    assert.deepEqual((await call(boss.token)).body, back.body);
    assert.deepEqual(back.body['conversations'], { days: 0, own: false });
    const [change] = (await auditLogOf(test, acme)).filter(
      ({ action }) => action === 'organization.retention',
    );
    assert.deepEqual(
      [change?.before, change?.after],
      [
        { conversations: 0, sign_in_places: 90 },
        { conversations: 30, sign_in_places: 0 },
      ],
    );
  });
});
