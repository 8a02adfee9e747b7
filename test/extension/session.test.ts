import assert from 'node:assert/strict';
import { createApiSession } from '../../src/extension/browser/panel/session.js';
import type { RunningSession } from '../../src/chat/session/running-session.js';
import type { SessionState } from '../../src/chat/session.js';
import { openGate, type Gate } from '../browser/support/gate.js';
import { callApi } from '../support/api-client.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestUser,
} from '../support/test-app.js';
import { openTestBrowser } from '../support/test-browser.js';
import { openNodeService } from './support/node-service.js';

const question = 'How often is the filter cleaned?';

describe('The chat of the extension', () => {
  let ollama: OllamaStandIn;
  let test: TestApp & { url: string };
  let gate: Gate;
  let ada: TestUser;
  let admin: TestUser;
  let service: ReturnType<typeof openNodeService>;
  let session: RunningSession;
  let kept: string | undefined;
  /** The page in the active tab. */
  let page: { url: string; title: string };

  before(async () => {
    ollama = await startOllamaStandIn({ models: ['llama3.2:latest'] });
    test = await serveTestApp({ ollama: { url: ollama.url } });
    const acme = await addOrganization(test);
    ada = await addUser(test, acme, 'user');
    admin = await addUser(test, acme, 'admin');
    const content = 'The filter is cleaned every month. Keep it dry.';
    await storeEntry(test, acme, { title: 'Filter', content });
    gate = await openGate(test.url);
  });
  after(async () => {
    await gate.close();
    await test.close();
    await ollama.stop();
  });
  beforeEach(async () => {
    // An empty id stands for a new conversation. With undefined, the latest one would be shown.
    kept = '';
    page = { url: 'https://acme.example/', title: 'Home' };
    gate.bodies.length = 0;
    ollama.answer = () => 'The filter is cleaned every month [1].';
    service = openNodeService(gate.url);
    await service.part().signIn(ada.email, ada.password);
    session = open();
  });
  afterEach(() => {
    session.destroy();
    gate.offline = false;
    gate.streams = 'pass';
    ollama.stallAfter = undefined;
    ollama.release();
  });

  function open(): RunningSession {
    const user = service.account?.user;
    if (user === undefined) throw new Error('nobody is signed in');
    const opened = createApiSession({
      ...{ service: service.part(), server: gate.url, user, language: () => 'en' },
      host: openTestBrowser('chrome-extension://assistant'),
      context: () => Promise.resolve(page),
      address: () => Promise.resolve(page.url),
      kept: {
        id: kept,
        keep(id) {
          kept = id;
        },
      },
    });
    opened.setVisible(true);
    return opened;
  }

  /** Resolves with the first state that meets the condition. */
  function until(wanted: (state: SessionState) => boolean, of = session): Promise<SessionState> {
    if (wanted(of.state)) return Promise.resolve(of.state);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        unsubscribe();
        reject(new Error(`the state never came: ${JSON.stringify(of.state.messages)}`));
      }, 60_000);
      const unsubscribe = of.subscribe((state) => {
        if (!wanted(state)) return;
        clearTimeout(timer);
        unsubscribe();
        resolve(state);
      });
    });
  }
  async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
    const end = Date.now() + 60_000;
    while (!(await isSo())) {
      assert.ok(Date.now() < end, 'the state never came');
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const answered = (count: number) => (state: SessionState) =>
    state.messages.filter(({ role, status }) => role === 'assistant' && status === 'complete')
      .length === count;

  it('sends questions one after the other in one conversation, and restores it when it opens again', async () => {
    session.send(`  ${question} `);
    session.send('And then?');
    const { messages, conversationId } = await until(answered(2));
    assert.deepEqual(
      messages.map(({ role, status }) => `${role} ${status}`),
      ['user complete', 'assistant complete', 'user complete', 'assistant complete'],
    );
    assert.equal(messages[0]?.text, question);
    assert.equal(kept, conversationId);
    const first = messages.find(({ role }) => role === 'assistant');
    assert.deepEqual(
      first?.reply?.sources.map(({ title }) => title),
      ['Filter'],
    );
    const again = open();
    const restored = await until(answered(2), again);
    assert.deepEqual(
      restored.messages.map(({ text }) => text),
      messages.map(({ text }) => text),
    );
    assert.deepEqual(
      (await again.listConversations()).map(({ id }) => id),
      [conversationId],
    );
    again.destroy();
  });

  it('sends the page on which a question was asked, even if the question has to wait', async () => {
    ollama.stallAfter = 2;
    session.send(question);
    await until(({ messages }) => messages.at(-1)?.status === 'streaming');
    session.send('And then?');
    page = { url: 'https://bank.example/private', title: 'Balance' };
    ollama.stallAfter = undefined;
    ollama.release();
    await until(answered(2));
    const sent = gate.bodies.filter(({ path }) => path === '/api/conversations/message');
    assert.equal(sent.length, 2);
    for (const { body } of sent) assert.doesNotMatch(body, /bank|Balance/);
    session.send('What is this?');
    await until(answered(3));
    assert.match(gate.bodies.at(-1)?.body ?? '', /bank\.example/);
  });

  it('continues an answer after a lost connection, and sends its question only once', async () => {
    ollama.stallAfter = 2;
    session.send(question);
    await until(({ messages }) => messages.at(-1)?.status === 'streaming');
    const before = session.state.messages.at(-1)?.text ?? '';
    gate.cut();
    ollama.release();
    const { messages } = await until(answered(1));
    assert.ok(messages.at(-1)?.text.startsWith(before));
    assert.equal(messages.at(-1)?.text, 'The filter is cleaned every month [1].');
    const posts = service.asked.filter((one) => one === 'POST /api/conversations/message');
    assert.equal(posts.length, 1);
  });

  it('continues a running answer when it opens again, and lets the next question wait', async () => {
    ollama.stallAfter = 2;
    session.send(question);
    await until(({ messages }) => messages.at(-1)?.status === 'streaming');
    session.destroy();
    const again = open();
    const { messages: before } = await until(
      ({ messages }) => messages.at(-1)?.role === 'assistant',
      again,
    );
    assert.deepEqual(
      before.map(({ role, text }) => (role === 'user' ? text : role)),
      [question, 'assistant'],
    );
    again.send('And then?');
    const posts = () => service.asked.filter((one) => one === 'POST /api/conversations/message');
    await until(({ messages }) => messages[1]?.status === 'streaming', again);
    assert.equal(posts().length, 1, 'the next question waits');
    ollama.stallAfter = undefined;
    ollama.release();
    const { messages } = await until(answered(2), again);
    assert.equal(messages[1]?.text, 'The filter is cleaned every month [1].');
    assert.deepEqual(
      messages.map(({ role, status }) => `${role} ${status}`),
      ['user complete', 'assistant complete', 'user complete', 'assistant complete'],
    );
    assert.equal(posts().length, 2);
    again.destroy();
  });

  it('stops a running answer after its conversation was opened again', async () => {
    ollama.stallAfter = 2;
    session.send(question);
    await until(({ messages }) => messages.at(-1)?.status === 'streaming');
    const { conversationId = '' } = session.state;
    session.newConversation();
    session.openConversation(conversationId);
    const { messages } = await until((state) => state.messages.at(-1)?.status === 'streaming');
    session.cancel(messages.at(-1)?.key ?? '');
    await until((state) => state.messages.at(-1)?.status === 'incomplete');
  });

  it('keeps the text so far of an answer that the user stops', async () => {
    ollama.stallAfter = 2;
    session.send(question);
    await until(({ messages }) => messages.at(-1)?.status === 'streaming');
    session.cancel(session.state.messages.at(-1)?.key ?? '');
    const { messages } = await until((state) => state.messages.at(-1)?.status === 'incomplete');
    assert.equal(messages.length, 2);
    assert.notEqual(messages.at(-1)?.text, '');
  });

  it('sends a question once by itself after the service was unreachable', async () => {
    await until(({ connection }) => connection === 'online');
    gate.offline = true;
    session.send('How often is the filter really cleaned?');
    await until(({ connection }) => connection === 'reconnecting');
    gate.offline = false;
    const { messages, connection } = await until(answered(1));
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant'],
    );
    assert.equal(connection, 'online');
    const posts = gate.bodies.filter(({ path }) => path === '/api/conversations/message');
    assert.equal(posts.length, 1);
  });

  it('reads the stored answer if the event stream is lost and a new one is refused', async () => {
    ollama.stallAfter = 2;
    session.send(question);
    await until(({ messages }) => messages.at(-1)?.status === 'streaming');
    gate.streams = 'refuse';
    gate.cut();
    ollama.stallAfter = undefined;
    ollama.release();
    const { messages } = await until(answered(1));
    assert.equal(messages.at(-1)?.text, 'The filter is cleaned every month [1].');
  });

  it('starts another conversation if its own was deleted elsewhere, and removes the old messages', async () => {
    session.send(question);
    const { conversationId: gone = '' } = await until(answered(1));
    await callApi(`${test.url}/api/conversations/${gone}`, { method: 'DELETE', token: ada.token });
    session.send('And then?');
    session.send('And after that?');
    const { messages, conversationId } = await until(answered(2));
    assert.deepEqual(
      messages.map(({ role, status }) => `${role} ${status}`),
      Array.from({ length: 2 }, () => ['user complete', 'assistant complete']).flat(),
    );
    assert.notEqual(conversationId, gone);
    assert.equal(kept, conversationId);
  });

  it('restores the conversation as soon as the service can be reached', async () => {
    session.send(question);
    await until(answered(1));
    gate.offline = true;
    service.asked.length = 0;
    const again = open();
    await until(({ restoring }) => restoring && service.asked.length > 0, again);
    assert.deepEqual(again.state.messages, []);
    gate.offline = false;
    await until(answered(1), again);
    again.destroy();
  });

  it('passes a question on to a person, and shows their answer in the conversation', async () => {
    ollama.answer = () => 'I do not know.';
    session.send('Who waters the ferns in the hall?');
    const { messages, identity, conversationId } = await until(answered(1));
    assert.equal(identity?.hasEmail, true, 'the known e-mail address is not asked for');
    const key = messages.at(-1)?.key ?? '';
    assert.equal(messages.at(-1)?.reply?.canRequest, true);
    session.askPerson(key);
    await until((state) => state.messages.at(-1)?.request === 'filed');
    const base = `${test.url}/api/knowledge/requests`;
    const { body } = await callApi<{
      data: { id: number; url: string; conversation_id: string; status: string }[];
    }>(base, { token: admin.token });
    const [filed] = body.data;
    assert.deepEqual([filed?.url, filed?.conversation_id], [page.url, conversationId]);
    await callApi(`${base}/${filed?.id ?? 0}`, {
      ...{ method: 'PUT', token: admin.token },
      body: { status: 'resolved', response: 'The caretaker, on Mondays.' },
    });
    // The panel becomes visible again.
    session.setVisible(true);
    const notified = await until((state) => state.notifications.length > 0);
    assert.equal(notified.unread, 1);
    const shown = await until((state) => state.messages.at(-1)?.role === 'person');
    assert.equal(shown.messages.at(-1)?.text, 'The caretaker, on Mondays.');
    session.markNotificationRead(notified.notifications[0]?.id ?? 0);
    await eventually(async () => {
      const url = `${test.url}/api/notifications?unread=true`;
      const unread = await callApi<{ pagination: { total: number } }>(url, { token: ada.token });
      return unread.body.pagination.total === 0;
    });
    const again = open();
    await until((state) => state.messages.at(-1)?.role === 'person', again);
    assert.equal(again.state.unread, 0);
    again.destroy();
  });

  it('reports that the monthly quota is used up', async () => {
    const path = `${test.url}/api/admin/quotas/users/${ada.id}`;
    const put = (units: number | null) =>
      callApi(path, { method: 'PUT', token: admin.token, body: { units_per_month: units } });
    await put(0);
    session.send(question);
    const { messages } = await until((state) => state.messages[0]?.status === 'failed');
    assert.equal(messages[0]?.error?.code, 'quota_exceeded');
    assert.equal(
      messages[0].error.retryAfter,
      undefined,
      'the panel does not wait for the next month',
    );
    await put(null);
  });

  it('stores the rating of an answer, and removes it at a second press', async () => {
    session.send(question);
    const { messages, conversationId = '' } = await until(answered(1));
    const key = messages.at(-1)?.key ?? '';
    const stored = async () => {
      const url = `${test.url}/api/conversations/${conversationId}/messages`;
      const reply = await callApi<{ data: { feedback: { rating: string } | null }[] }>(url, {
        token: ada.token,
      });
      return reply.body.data.at(-1)?.feedback?.rating;
    };
    const sent = async (method: string) => {
      const end = Date.now() + 60_000;
      const wanted = method === 'PUT' ? 'up' : undefined;
      while ((await stored()) !== wanted && Date.now() < end);
      assert.equal(await stored(), wanted);
    };
    void session.rate(key, 'up');
    assert.equal(session.state.messages.at(-1)?.rating, 'up');
    await sent('PUT');
    void session.rate(key, 'up');
    await sent('DELETE');
  });

  it('shows nothing of a previous conversation, even if its answer still arrives', async () => {
    ollama.stallAfter = 2;
    session.send(question);
    await until(({ messages }) => messages.at(-1)?.status === 'streaming');
    session.newConversation();
    ollama.release();
    ollama.stallAfter = undefined;
    session.send('And then?');
    const { messages } = await until(answered(1));
    assert.deepEqual(messages.map(({ text }) => text)[0], 'And then?');
    assert.equal(messages.length, 2);
  });
});
