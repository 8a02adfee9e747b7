import assert from 'node:assert/strict';
import { exportConversations } from '../../src/conversations/export-conversations.js';
import type { ExportInput } from '../../src/conversations/export-conversations.js';
import {
  listConversations,
  walkConversationList,
} from '../../src/conversations/read-conversations.js';
import type { Actor } from '../../src/platform/actor.js';
import { storeTalk, type StoredTalk } from '../support/stored-talk.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('Conversations', () => {
  let test: TestApp;
  let acme: TestOrganization;
  const at = '2026-11-01T10:00:00.000Z';

  beforeEach(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const store = (talk: Partial<StoredTalk> = {}) =>
    storeTalk(test.app, { organizationId: acme.operator.organizationId, at, ...talk });
  const begin = (
    input: ExportInput,
    identify: () => Promise<Actor> = () => Promise.resolve(acme.operator),
  ) => exportConversations(test.app, identify, input);
  const textOf = async (pieces: AsyncIterable<string>) => {
    let text = '';
    for await (const piece of pieces) text += piece;
    return text;
  };
  const linesOf = async (input: Omit<ExportInput, 'format'>) => {
    const text = await textOf(await begin({ ...input, format: 'jsonl' }));
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id: string; messages: { content: string }[] });
  };
  const comment = (replyId: number, rating: 'up' | 'down') =>
    test.app.db.write('message_feedback').insert({
      ...{ message_id: replyId, rating, comment: 'Too short', created_at: at, updated_at: at },
    });

  it('are filtered by comments, incomplete answers and the days of their replies', async () => {
    const liked = await store({ at: '2026-10-01T10:00:00.000Z', rating: 'up' });
    const told = await store({ at: '2026-10-02T10:00:00.000Z' });
    const broken = await store({ at: '2026-10-03T10:00:00.000Z' });
    await comment(told.replyId, 'down');
    await test.app.db
      .write('messages')
      .where({ id: broken.replyId })
      .update({ status: 'incomplete' });
    const found = async (filter: object) => {
      const page = { page: 1, limit: 10 };
      const { items, total } = await listConversations(test.app, acme.operator, {
        ...filter,
        ...page,
      });
      assert.equal(total, items.length);
      const walked = await walkConversationList(test.app, acme.operator, { ...filter, limit: 10 });
      assert.deepEqual(walked.items, items);
      return items.map(({ id }) => id);
    };
    const [a, b, c] = [liked, told, broken].map((one) => one.conversationId);
    assert.deepEqual(await found({ commented: true }), [b]);
    assert.deepEqual(await found({ commented: true, rating: 'up' }), []);
    assert.deepEqual(await found({ rating: 'up' }), [a]);
    assert.deepEqual(await found({ incomplete: true }), [c]);
    assert.deepEqual(await found({ incomplete: true, commented: true }), []);
    assert.deepEqual(await found({ from: '2026-10-02', to: '2026-10-03' }), [c, b]);
    assert.deepEqual(await found({ from: '2026-10-02', to: '2026-10-02', incomplete: true }), []);
    await assert.rejects(found({ from: '2026-10-02', to: '2026-10-01' }), {
      code: 'invalid_request',
    });
  });

  it('are each listed once when paged by key, even if many have the same time', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      ids.push(
        (await store({ at: count < 4 ? at : `2026-11-0${count}T10:00:00.000Z` })).conversationId,
      );
    }
    const seen: string[] = [];
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const page = await walkConversationList(test.app, acme.operator, { after, limit: 2 });
      assert.equal(page.total, 7);
      seen.push(...page.items.map(({ id }) => id));
      after = page.next;
    }
    assert.deepEqual([...seen].sort(), [...ids].sort());
    assert.deepEqual(seen.slice(0, 3), ids.slice(4).reverse());
  });

  it('are exported as JSON lines and CSV, only those that match, each with all its messages', async () => {
    const one = await store({ question: '=1+1' });
    for (let count = 0; count < 300; count += 1) {
      await store({ conversationId: one.conversationId, question: `Again ${count}?` });
    }
    const ids = [one.conversationId];
    for (let count = 0; count < 105; count += 1) {
      ids.push((await store({ at: '2026-11-02T10:00:00.000Z' })).conversationId);
    }
    await store({ channel: 'api' });
    const other = await addOrganization(test, 'Other');
    await store({ organizationId: other.operator.organizationId });
    const lines = await linesOf({ channel: 'widget' });
    assert.deepEqual(lines.map(({ id }) => id).sort(), [...ids].sort());
    assert.equal(lines[0]?.messages.length, 602);
    assert.ok(lines.slice(1).every(({ messages }) => messages.length === 2));
    const csv = await textOf(await begin({ channel: 'widget', format: 'csv' }));
    const rows = csv.trimEnd().split('\r\n');
    assert.match(rows[0] ?? '', /^conversation_id,channel,app,user_id,message_id,/);
    assert.equal(rows.length, 1 + 602 + 105 * 2);
    assert.match(rows[1] ?? '', /,'=1\+1,/);
  });

  it('are exported only with the right to read all, with an audit record, until that right is lost', async () => {
    for (let count = 0; count < 101; count += 1) await store();
    const ida: Actor = {
      ...{ kind: 'user', organizationId: acme.operator.organizationId, role: 'user' },
      userId: (await addUser(test, acme, 'user')).id,
    };
    await assert.rejects(
      begin({ format: 'csv' }, () => Promise.resolve(ida)),
      { code: 'forbidden' },
    );
    // The record is kept for longer than conversations: the words may be a person's name, or words of a conversation.
    await linesOf({ rating: 'down', q: 'Ada Lovelace' });
    const records: { after: string | null }[] = await test.app.db
      .read('audit_log')
      .where({ action: 'conversation.export' });
    assert.equal(records.length, 1);
    assert.deepEqual(JSON.parse(String(records[0]?.after)), {
      format: 'jsonl',
      rating: 'down',
      q: true,
    });
    let asked = 0;
    const losing = (): Promise<Actor> => {
      asked += 1;
      return Promise.resolve(asked > 2 ? ida : acme.operator);
    };
    const pieces = await begin({ format: 'csv' }, losing);
    await assert.rejects(textOf(pieces), { code: 'forbidden' });
  });

  it('are exported once at a time per person, who may start again after ending early', async () => {
    await store();
    const first = await begin({ format: 'csv' });
    await assert.rejects(begin({ format: 'csv' }), { code: 'rate_limited' });
    await first.return(undefined);
    assert.match(await textOf(await begin({ format: 'csv' })), /^conversation_id/);
    assert.match(await textOf(await begin({ format: 'csv' })), /^conversation_id/);
  });
});
