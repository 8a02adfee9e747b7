import assert from 'node:assert/strict';
import { walkConversationList } from '../../src/conversations/read-conversations.js';
import { addOrganization, openTestApp, type TestApp } from '../support/test-app.js';

describe('Conversations with one rating, when many have it', () => {
  let test: TestApp;
  before(async () => {
    test = await openTestApp();
  });
  after(() => test.close());

  it('are listed each once, the latest first, whether they lie among the latest of all or long before', async () => {
    const acme = await addOrganization(test);
    const { organizationId } = acme.operator;
    const rated = (at: number) => (at < 950 || at >= 6000) && at % 10 !== 3;
    const rows = Array.from({ length: 6200 }, (_, at) => at);
    const time = (at: number) =>
      new Date(Date.parse('2026-11-01T00:00:00.000Z') + at).toISOString();
    const times = (at: number) => ({ created_at: time(at), updated_at: time(at) });
    const { write } = test.app.db;
    const conversations = rows.map((at) => ({
      ...{ id: `c${at}`, organization_id: organizationId, channel: 'api', title: 'Hi' },
      ...times(at),
    }));
    await write.batchInsert('conversations', conversations, 100);
    const messages = rows.map((at) => ({
      ...{ id: at + 1, conversation_id: `c${at}`, role: 'assistant', content: 'Hi', found: true },
      ...{ status: 'complete', language: 'en', created_at: time(at) },
    }));
    await write.batchInsert('messages', messages, 100);
    const ratings = rows.map((at) => ({
      ...{ message_id: at + 1, rating: rated(at) ? 'down' : 'up' },
      ...times(at),
    }));
    await write.batchInsert('message_feedback', ratings, 100);
    const expected = rows.filter(rated).reverse();
    assert.ok(expected.length > 1001, 'more than are counted');
    const ids: string[] = [];
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const input = { rating: 'down', after, limit: 50 } as const;
      const page = await walkConversationList(test.app, acme.operator, input);
      assert.equal(page.total, 1001);
      ids.push(...page.items.map(({ id }) => id));
      after = page.next;
    }
    assert.deepEqual(
      ids,
      expected.map((at) => `c${at}`),
    );
  });
});
