import assert from 'node:assert/strict';
import { deleteConversation } from '../../src/conversations/delete-conversation.js';
import { sendMessage } from '../../src/conversations/answering/running-answers.js';
import type { Actor } from '../../src/platform/actor.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { callApi } from '../support/api-client.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';

interface ConversationBody {
  id: string;
  title: string;
  user_id: number | null;
}

const known = 'How often does the pump turn?';
const unknown = 'Who painted the Mona Lisa?';

describe('Conversations', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let ada: TestUser;
  let staff: TestUser;
  let admin: TestUser;
  let stranger: TestUser;

  beforeEach(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    const globex = await addOrganization(test, 'Globex');
    ada = await addUser(test, acme, 'user');
    staff = await addUser(test, acme, 'backoffice');
    admin = await addUser(test, acme, 'admin');
    stranger = await addUser(test, globex, 'admin');
    await storeEntry(test, acme, { title: 'Pumps', content: 'The pump turns 900 times a minute.' });
  });
  afterEach(() => test.close());

  const base = () => `${test.url}/api/conversations`;
  const ask = async (message: string, token = ada.token, url = 'https://acme.example/') => {
    clock.advance(1000);
    const body = { message, context: { url, title: '' } };
    const reply = await callApi<{ conversationId: string; messageId: number }>(
      `${base()}/message`,
      { token, body },
    );
    assert.equal(reply.status, 200);
    return reply.body;
  };
  const ids = async (query = '', token = staff.token) => {
    const { body } = await callApi<{ data: ConversationBody[]; pagination: { total: number } }>(
      `${base()}${query}`,
      { token },
    );
    assert.equal(body.pagination.total, body.data.length);
    return body.data.map(({ id }) => id);
  };
  const remove = (id: string, token: string) =>
    callApi(`${base()}/${id}`, { method: 'DELETE', token });
  const stored = async (table: string) =>
    ((await test.app.db.read(table).count({ count: '*' }).first()) as { count: number }).count;

  it('are shown one by one to people who may read them', async () => {
    const { conversationId: id } = await ask(known);
    for (const { token } of [ada, staff]) {
      const { status, body } = await callApi<ConversationBody>(`${base()}/${id}`, { token });
      assert.deepEqual([status, body.id, body.title, body.user_id], [200, id, known, ada.id]);
    }
    const bob = (await ask(unknown, staff.token)).conversationId;
    for (const [path, token] of [
      [id, stranger.token],
      [bob, ada.token],
      ['x', staff.token],
    ] as const) {
      assert.equal((await callApi(`${base()}/${path}`, { token })).status, 404);
    }
    assert.equal((await callApi(`${base()}/${id}`)).status, 401);
  });

  it('are deleted by their owner with messages and feedback, while their usage stays recorded', async () => {
    const { conversationId, messageId } = await ask(known);
    const feedback = `${base()}/${conversationId}/messages/${messageId}/feedback`;
    await callApi(feedback, { method: 'PUT', token: ada.token, body: { rating: 'up' } });
    const kept = (await ask(unknown)).conversationId;
    assert.equal((await remove(conversationId, ada.token)).status, 204);
    assert.equal((await remove(conversationId, ada.token)).status, 404);
    assert.deepEqual(await ids(), [kept]);
    assert.deepEqual(
      [await stored('messages'), await stored('message_feedback'), await stored('usage_events')],
      [2, 0, 2],
    );
    // The number of a message is never used again: the next one would be another's usage.
    assert.ok((await ask(known)).messageId > messageId);
  });

  it('are deleted by staff with an audit record that holds no message', async () => {
    const { conversationId } = await ask(known);
    assert.equal((await remove(conversationId, staff.token)).status, 204);
    const changes = await test.app.db
      .read<Record<string, unknown>>('audit_log')
      .where({ action: 'conversation.delete' })
      .select('*');
    const [change] = changes;
    assert.deepEqual(
      [change?.['actor'], change?.['subject']],
      [`user:${staff.id}`, `conversation:${conversationId}`],
    );
    assert.doesNotMatch(JSON.stringify(changes), /pump/);
  });

  it('can’t be deleted by other users or other organizations', async () => {
    const { conversationId: adas } = await ask(known);
    const { conversationId: admins } = await ask(known, admin.token);
    for (const [id, token] of [
      [adas, stranger.token],
      [admins, ada.token],
      ['x', staff.token],
    ] as const) {
      const { status, body } = await remove(id, token);
      assert.deepEqual([status, body.code], [404, 'not_found']);
    }
    assert.equal((await ids()).length, 2);
  });

  it('are filtered for staff by channel, app, user, outcome and rating', async () => {
    const other = await createApp(test.app, acme.operator, { name: 'Other' });
    const found = await ask(known);
    const lost = (await ask(unknown, staff.token)).conversationId;
    const nowhere = (await ask(unknown, ada.token, 'https://intranet.local/')).conversationId;
    const operators = await sendMessage(test.app, acme.operator, {
      ...{ message: known, page: undefined, channel: 'cli' },
    });
    const feedback = `${base()}/${found.conversationId}/messages/${found.messageId}/feedback`;
    await callApi(feedback, { method: 'PUT', token: ada.token, body: { rating: 'down' } });
    const first = found.conversationId;
    assert.deepEqual(await ids('?channel=cli'), [operators.conversationId]);
    assert.deepEqual(await ids(`?app_id=${acme.appId}`), [lost, first]);
    assert.deepEqual(await ids(`?app_id=${other.id}`), []);
    assert.deepEqual(await ids(`?user_id=${ada.id}`), [nowhere, first]);
    assert.deepEqual(await ids('?found=false'), [nowhere, lost]);
    assert.deepEqual((await ids('?found=true')).sort(), [operators.conversationId, first].sort());
    assert.deepEqual(await ids('?rating=down'), [first]);
    assert.deepEqual(await ids('?rating=up'), []);
    assert.deepEqual(await ids(`?found=false&user_id=${ada.id}&channel=api`), [nowhere]);
    // The next question that is answered makes it a conversation of both kinds.
    const body = { message: known, context: { url: 'https://acme.example/', title: '' } };
    const url = `${base()}/message`;
    const next = { ...body, conversationId: nowhere };
    assert.equal((await callApi(url, { token: ada.token, body: next })).status, 200);
    assert.ok((await ids('?found=true')).includes(nowhere));
    assert.ok((await ids('?found=false')).includes(nowhere));
  });

  it('are listed once, however many of their replies match a filter', async () => {
    const { conversationId } = await ask(known);
    const context = { url: 'https://acme.example/', title: '' };
    const body = { message: known, context, conversationId };
    await callApi(`${base()}/message`, { token: ada.token, body });
    const second = await callApi<{ data: unknown[]; pagination: { total: number } }>(
      `${base()}?found=true&limit=1&page=2`,
      { token: staff.token },
    );
    assert.deepEqual([second.body.data, second.body.pagination.total], [[], 1]);
  });

  it('never include another person’s or organization’s conversations under any filter', async () => {
    const own = (await ask(known)).conversationId;
    await ask(unknown, admin.token);
    for (const query of ['', '?channel=api', '?found=true', `?user_id=${ada.id}`]) {
      assert.deepEqual(await ids(query, ada.token), [own], query);
    }
    assert.deepEqual(await ids(`?user_id=${admin.id}`, ada.token), []);
    assert.deepEqual(await ids('?found=false', ada.token), []);
    assert.deepEqual(await ids(`?user_id=${ada.id}`, stranger.token), []);
    const foreign = await callApi(`${base()}?app_id=${acme.appId}`, { token: stranger.token });
    assert.equal(foreign.status, 404);
  });

  it('refuse invalid filters', async () => {
    for (const [query, path] of [
      ['channel=mail', 'channel'],
      ['found=maybe', 'found'],
      ['rating=best', 'rating'],
      ['user_id=me', 'user_id'],
      ['app_id=0', 'app_id'],
      ['status=open', 'status'],
    ] as const) {
      const { status, body } = await callApi(`${base()}?${query}`, { token: staff.token });
      assert.deepEqual([status, body.errors?.[0]?.path], [400, path]);
    }
  });
});

describe('A conversation that is deleted while its question is being answered', () => {
  it('stays deleted, refuses the answer and keeps its usage recorded', async () => {
    const ollama = await startOllamaStandIn({ answer: () => 'Every minute [1].' });
    const test = await openTestApp({ ollama: { url: ollama.url } });
    try {
      const { app } = test;
      const acme = await addOrganization(test);
      const { id: userId } = await addUser(test, acme, 'user');
      const { organizationId } = acme.operator;
      const asker: Actor = { kind: 'user', organizationId, userId, role: 'user' };
      await storeEntry(test, acme, { title: 'Pumps', content: 'The pump turns every minute.' });
      const input = { message: known, page: undefined, channel: 'api' as const };
      const { conversationId } = await sendMessage(app, asker, input);
      ollama.stallAfter = 0;
      const sending = sendMessage(app, asker, { ...input, conversationId });
      const refused = assert.rejects(sending, { code: 'not_found' });
      await ollama.until(() => ollama.chats.length === 2);
      await deleteConversation(app, asker, conversationId);
      ollama.release();
      await refused;
      assert.deepEqual(await app.db.read('messages').select('*'), []);
      const events = await app.db
        .read<{ payer_user_id: number; units: number }>('usage_events')
        .select('*');
      assert.deepEqual(
        events.map((event) => [event.payer_user_id, event.units > 1]),
        [
          [userId, true],
          [userId, true],
        ],
      );
    } finally {
      await test.close();
      await ollama.stop();
    }
  });
});
