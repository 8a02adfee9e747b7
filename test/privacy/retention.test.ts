import assert from 'node:assert/strict';
import { rateMessage } from '../../src/conversations/rate-message.js';
import { sendMessage } from '../../src/conversations/send-message.js';
import type { Actor } from '../../src/platform/actor.js';
import { enforceRetention } from '../../src/privacy/enforce-retention.job.js';
import { setRetention } from '../../src/privacy/manage-retention.js';
import { retentionKinds } from '../../src/privacy/retention.js';
import { fileRequest } from '../../src/requests/file-request.js';
import { updateRequest } from '../../src/requests/update-request.js';
import { listUsage } from '../../src/usage/read-usage.js';
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

  /** One thing of each kind, by a user of the organization. */
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

  it('keeps everything for ever by default, but from where people signed in', async () => {
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
    it(`removes ${kind} after its days and nothing else, with a record of that`, async () => {
      await open({ privacy: { retention: { ...forEver, [kind]: 40 } } });
      await use();
      const before = await test.app.db.read('audit_log').pluck('id');
      const first = await counts();
      // At the end of the last day, and not before.
      clock.advance(40 * day);
      assert.equal(await enforceRetention(test.app), 0);
      assert.deepEqual(await counts(), first);
      clock.advance(day);
      const removed = await enforceRetention(test.app);
      assert.ok(removed > 0);
      const gone = tables.filter((_, index) => after[index] !== undefined && after[index] < (first[index] ?? 0));
      const expected: Record<(typeof retentionKinds)[number], string[]> = {
        conversations: ['conversations', 'messages', 'message_feedback'],
        requests: ['knowledge_requests'],
        notifications: ['notifications'],
        // Thumbs and sums stay.
        ...{ feedback: [], usage: [] },
        audit: [],
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
});
