import assert from 'node:assert/strict';
import { startOllamaStandIn, type OllamaStandIn } from '../../support/ollama-stand-in.js';
import { storeEntry } from '../../support/stored-entry.js';
import { updateRequest } from '../../../src/requests/update-request.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';
import {
  openTestBrowser,
  openTestSession,
  type TestBrowser,
  type TestSession,
} from '../../support/test-browser.js';
import { addKeyWithSecret, addUserToken, addWidgetKey } from '../../support/widget-keys.js';

const origin = 'https://acme.example';
const question = 'When are the backups of the server made?';
const said = 'They are made every single night [1].';

describe('A session of the widget', () => {
  let ollama: OllamaStandIn;
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let apiKey: string;
  let opened: TestSession[];
  let answer: () => string | Promise<string>;

  beforeEach(async () => {
    answer = () => said;
    ollama = await startOllamaStandIn({ answer: () => answer() });
    test = await serveTestApp({ ollama: { url: ollama.url, concurrency: 8 } });
    acme = await addOrganization(test);
    apiKey = await addWidgetKey(test, acme, 'public');
    const content = 'Backups of the server are made every single night.';
    await storeEntry(test, acme, { title: 'Server › Backups (2)', content, ...thisPage });
    await storeEntry(test, acme, {
      title: 'About Acme',
      content: 'Acme keeps servers for others.',
    });
    opened = [];
  });
  afterEach(async () => {
    opened.forEach((session) => session.destroy());
    await test.close();
    await ollama.stop();
  });

  /** Of the page that the sessions are on. */
  const thisPage = { urlPattern: '/backups' };
  const open = (browser: TestBrowser, options = {}) => {
    const session = openTestSession(browser, test.url, { apiKey, ...options });
    opened.push(session);
    return session;
  };
  /** The model says nothing before it is let. */
  const holdAnswer = () => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    answer = () => opened.then(() => said);
    return { open };
  };
  const texts = ({ state }: TestSession) => state.messages.map(({ text }) => text);
  const messagesIn = ({ browser }: TestSession) =>
    browser.sent.filter((text) => text.includes('"type":"message"')).length;

  it('asks nothing of the service before the panel is opened by somebody new', async () => {
    const session = open(openTestBrowser(origin));
    session.start();
    assert.deepEqual(session.browser.asked, []);
    session.setVisible(true);
    const { identity } = await session.until(({ connection }) => connection === 'online');
    assert.equal(identity?.kind, 'visitor');
    const { suggestions } = await session.until((state) => state.suggestions.length > 0);
    assert.deepEqual(suggestions, ['Backups']);
  });

  it('sends no message that is too long, and tells the page so', () => {
    const session = open(openTestBrowser(origin));
    session.send('x'.repeat(8001));
    assert.deepEqual(session.state.messages, []);
    const [{ event, payload } = { event: '', payload: {} }] = session.events;
    assert.equal(event, 'error');
    assert.deepEqual((payload as { code: string }).code, 'invalid_request');
  });

  it('does not say that the reader is offline where only too many questions wait', () => {
    const session = open(openTestBrowser(origin));
    for (let n = 0; n < 22; n += 1) session.send(`Question ${n}?`);
    const failed = session.state.messages.filter(({ status }) => status === 'failed');
    assert.deepEqual(
      failed.map(({ text, error }) => [text, error?.code]),
      [20, 21].map((n) => [`Question ${n}?`, 'too_many_waiting']),
    );
  });

  it('fails a question on a page that can’t be told of, instead of trying for ever', async () => {
    const { error } = console;
    const written: unknown[][] = [];
    console.error = (...given) => void written.push(given);
    try {
      const page = {
        title: 'Backups',
        get url(): string {
          throw new Error('a getter of the page');
        },
      };
      const session = openTestSession(openTestBrowser(origin), test.url, { apiKey }, page);
      opened.push(session);
      session.send(question);
      const state = await session.until(({ messages }) => messages[0]?.status === 'failed');
      assert.equal(state.messages[0]?.error?.code, 'internal');
      assert.match(String(written[0]?.[1]), /a getter of the page/);
    } finally {
      console.error = error;
    }
  });

  it('answers over a socket, and tells the page of both messages', async () => {
    const session = open(openTestBrowser(origin));
    session.setVisible(true);
    session.send(question);
    const { messages } = await session.answered();
    assert.deepEqual(texts(session), [question, said]);
    assert.deepEqual(
      messages.map(({ status }) => status),
      ['complete', 'complete'],
    );
    assert.equal(messages[1]?.reply?.sources.length, 1);
    assert.deepEqual(
      session.events.map(({ event, payload }) => [event, (payload as { role: string }).role]),
      [
        ['message', 'user'],
        ['message', 'assistant'],
      ],
    );
    assert.ok(!session.browser.asked.includes('POST /widget/message'));
  });

  it('sends questions that were asked before there was a connection, in order and each once', async () => {
    const session = open(openTestBrowser(origin));
    for (const text of ['First: backups?', 'Second: backups?', 'Third: backups?']) {
      session.send(text);
    }
    await session.answered(3);
    assert.equal(messagesIn(session), 3);
    const questions = texts(session).filter((text) => text.endsWith('?'));
    assert.deepEqual(questions, ['First: backups?', 'Second: backups?', 'Third: backups?']);
    const ids = session.state.messages.flatMap(({ reply }) => reply?.conversationId ?? []);
    assert.equal(new Set(ids).size, 1);
  });

  it('shows the conversation again after a reload, and in no other browser', async () => {
    const stored = new Map<string, string>();
    const first = open(openTestBrowser(origin, stored));
    first.send(question);
    await first.answered();
    first.destroy();
    const second = open(openTestBrowser(origin, stored));
    assert.deepEqual(texts(second), []);
    second.setVisible(true);
    await second.answered();
    assert.deepEqual(texts(second), [question, said]);
    const other = open(openTestBrowser(origin));
    other.setVisible(true);
    await other.until(({ connection }) => connection === 'online');
    assert.deepEqual(texts(other), []);
  });

  it('goes on with an answer whose connection was lost, and sends its question once', async () => {
    const gate = holdAnswer();
    const session = open(openTestBrowser(origin));
    session.send(question);
    await session.until(({ conversationId }) => conversationId !== undefined);
    session.browser.cutSockets();
    await session.until(({ connection }) => connection === 'reconnecting');
    gate.open();
    await session.answered();
    assert.deepEqual(texts(session), [question, said]);
    assert.equal(messagesIn(session), 1);
  });

  for (const lost of ['question', 'confirmation'] as const)
    it(`asks a question once whose ${lost} was lost with the connection`, async () => {
      const browser = openTestBrowser(origin);
      const session = open(browser);
      session.setVisible(true);
      await session.until(({ connection }) => connection === 'online');
      const loseFirst = (word: string) => {
        let isLost = false;
        return (text: string) => {
          if (isLost || !text.includes(word)) return true;
          isLost = true;
          return false;
        };
      };
      if (lost === 'question') browser.lets.out = loseFirst('"type":"message"');
      else browser.lets.in = loseFirst('"type":"started"');
      session.send(question);
      await session.answered();
      assert.deepEqual(texts(session), [question, said]);
      const again = open(openTestBrowser(origin, browser.stored));
      again.setVisible(true);
      await again.answered();
      assert.deepEqual(texts(again), [question, said]);
    });

  it('sends what was asked offline in the conversation it was asked in, though a new one was begun since', async () => {
    const session = open(openTestBrowser(origin));
    session.send('First: backups?');
    await session.answered();
    const before = session.state.conversationId ?? '';
    session.browser.setOnline(false);
    session.send('And the backups of the server again?');
    session.newConversation();
    assert.deepEqual(texts(session), []);
    session.send(question);
    session.browser.setOnline(true);
    await session.answered();
    assert.deepEqual(texts(session), [question, said]);
    assert.notEqual(session.state.conversationId, before);
    session.openConversation(before);
    await session.answered(2);
    assert.deepEqual(texts(session), [
      'First: backups?',
      said,
      'And the backups of the server again?',
      said,
    ]);
  });

  it('shows for how long to wait when it was refused for asking too often', async () => {
    const limited = await serveTestApp({
      ollama: { url: ollama.url },
      limits: { messages_per_minute: 1 },
    });
    try {
      const organization = await addOrganization(limited);
      const key = await addWidgetKey(limited, organization, 'public');
      const session = openTestSession(openTestBrowser(origin), limited.url, { apiKey: key });
      opened.push(session);
      session.send(question);
      session.send('And once more?');
      const { messages } = await session.until((state) =>
        state.messages.some(({ status }) => status === 'failed'),
      );
      const failed = messages.find(({ status }) => status === 'failed');
      assert.equal(failed?.error?.code, 'rate_limited');
      assert.ok((failed.error.retryAfter ?? 0) > 0);
      assert.ok(session.events.some(({ event }) => event === 'error'));
      session.browser.setOnline(false);
      session.send('And asked where nobody looks any more?');
      session.newConversation();
      session.browser.setOnline(true);
      const { messages: left } = await session.until(
        (state) => state.messages[0]?.status === 'failed',
      );
      assert.equal(left[0]?.text, 'And asked where nobody looks any more?');
      assert.equal(left[0].error?.code, 'rate_limited');
    } finally {
      opened.pop()?.destroy();
      await limited.close();
    }
  });

  it('goes on after a reload with an answer that is under way', async () => {
    const gate = holdAnswer();
    const stored = new Map<string, string>();
    const first = open(openTestBrowser(origin, stored));
    first.send(question);
    await first.until(({ conversationId }) => conversationId !== undefined);
    first.destroy();
    const second = open(openTestBrowser(origin, stored));
    second.setVisible(true);
    await second.until(({ messages }) => messages.some(({ status }) => status === 'waiting'));
    gate.open();
    await second.answered();
    assert.deepEqual(texts(second), [question, said]);
  });

  it('streams over requests where there is no socket', async () => {
    const browser = openTestBrowser(origin);
    browser.blockSockets = true;
    const session = open(browser);
    session.send(question);
    await session.answered();
    session.send('And the backups of the server again?');
    await session.answered(2);
    const asked = browser.asked.filter((path) => path === 'POST /widget/message');
    assert.equal(asked.length, 2);
    assert.equal(session.state.connection, 'online');
  });

  it('asks for the plain answer where a stream gives nothing, and sends no question twice', async () => {
    const browser = openTestBrowser(origin);
    browser.blockSockets = true;
    const accepted: string[] = [];
    browser.intercept = (path, init) => {
      if (path !== '/widget/message') return undefined;
      const accept = new Headers(init.headers).get('Accept') ?? 'json';
      accepted.push(accept);
      if (accept === 'json') return undefined;
      return Promise.reject(new TypeError('blocked'));
    };
    const session = open(browser);
    session.send(question);
    await session.answered();
    assert.deepEqual(texts(session), [question, said]);
    assert.deepEqual(accepted, ['text/event-stream', 'json']);
  });

  it('ends an answer when asked to, and keeps what was said', async () => {
    const gate = holdAnswer();
    const session = open(openTestBrowser(origin));
    session.send(question);
    const { messages } = await session.until(({ messages }) =>
      messages.some(({ status }) => status === 'waiting'),
    );
    await session.until(({ conversationId }) => conversationId !== undefined);
    session.cancel(messages[1]?.key ?? '');
    const { messages: after } = await session.until(({ messages }) =>
      messages.some(({ status }) => status === 'failed' || status === 'incomplete'),
    );
    assert.equal(after[0]?.error?.code, 'cancelled');
    gate.open();
    session.retry(after[0].key);
    await session.answered();
    assert.deepEqual(texts(session), [question, said]);
  });

  it('counts answers that come while the panel is closed, until it is opened', async () => {
    const session = open(openTestBrowser(origin));
    session.send(question);
    await session.answered();
    await session.until(({ unread }) => unread === 1);
    session.setVisible(true);
    assert.equal(session.state.unread, 0);
  });

  it('is refused for good by a key that does not hold', async () => {
    const session = open(openTestBrowser(origin), { apiKey: `wk_live_${'x'.repeat(32)}` });
    session.setVisible(true);
    const { refused } = await session.until((state) => state.refused !== undefined);
    assert.equal(refused?.code, 'unauthenticated');
    const elsewhere = open(openTestBrowser('https://evil.example'));
    elsewhere.setVisible(true);
    const state = await elsewhere.until((one) => one.refused !== undefined);
    assert.equal(state.refused?.code, 'origin_not_allowed');
  });

  it('drops a visitor token that does not hold, and asks without', async () => {
    const stored = new Map<string, string>();
    const remembered = { subject: '', visitorToken: 'not.a.token', conversationId: 'gone' };
    stored.set(`assistant:${apiKey}`, JSON.stringify(remembered));
    const session = open(openTestBrowser(origin, stored));
    session.setVisible(true);
    session.send(question);
    await session.answered();
    assert.deepEqual(texts(session), [question, said]);
    assert.ok(!(stored.get(`assistant:${apiKey}`) ?? '').includes('not.a.token'));
  });

  it('hands the conversation of one person to nobody else on the same browser', async () => {
    const key = await addKeyWithSecret(test, acme);
    const anna = await addUserToken(test, key, { externalId: 'anna', displayName: 'Anna' });
    const berta = await addUserToken(test, key, { externalId: 'berta' });
    const stored = new Map<string, string>();
    const options = { apiKey: key.key.key };
    const first = open(openTestBrowser(origin, stored), { ...options, userToken: anna });
    first.send(question);
    await first.answered();
    await first.until(({ identity }) => identity?.displayName === 'Anna');
    first.destroy();
    const second = open(openTestBrowser(origin, stored), { ...options, userToken: berta });
    second.setVisible(true);
    await second.until(({ connection }) => connection === 'online');
    assert.deepEqual([texts(second), second.state.conversationId], [[], undefined]);
    second.destroy();
    const nobody = open(openTestBrowser(origin, stored), options);
    nobody.setVisible(true);
    await nobody.until(({ connection }) => connection === 'online');
    assert.deepEqual(texts(nobody), []);
  });

  it('takes a new token of the same person without losing the conversation, and forgets it with another’s', async () => {
    const key = await addKeyWithSecret(test, acme);
    const anna = await addUserToken(test, key, { externalId: 'anna' });
    const session = open(openTestBrowser(origin), { apiKey: key.key.key, userToken: anna });
    session.send(question);
    await session.answered();
    const { apiUrl, wsUrl } = { apiUrl: test.url, wsUrl: '' };
    const same = { apiKey: key.key.key, apiUrl, wsUrl, getUserToken: undefined };
    const again = await addUserToken(test, key, { externalId: 'anna' });
    session.update({ ...same, userToken: again, suggestions: undefined });
    session.send('And the backups of the server once more?');
    await session.answered(2);
    assert.equal(session.state.messages.length, 4);
    session.update({ ...same, userToken: undefined, suggestions: undefined });
    assert.deepEqual(texts(session), []);
    await session.until(({ identity }) => identity?.kind === 'visitor');
  });

  it('keeps what somebody was asking whose token has expired, for them and for nobody else', async () => {
    const key = await addKeyWithSecret(test, acme);
    const fresh = (externalId: string) => addUserToken(test, key, { externalId });
    const [anna, berta] = [await fresh('anna'), await fresh('berta')];
    const given = { apiKey: key.key.key, apiUrl: test.url, wsUrl: '', getUserToken: undefined };
    for (const next of [anna, berta]) {
      const userToken = `${anna.slice(0, -4)}AAAA`;
      const session = open(openTestBrowser(origin), { apiKey: key.key.key, userToken });
      const { person } = session.state;
      session.send(question);
      const { messages } = await session.until(({ identity }) => identity?.kind === 'visitor');
      assert.deepEqual(messages, []);
      session.update({ ...given, userToken: next, suggestions: undefined });
      assert.deepEqual(texts(session), next === anna ? [question] : []);
      assert.equal(session.state.person === person, next === anna);
      if (next === anna) await session.answered();
      session.destroy();
    }
  });

  it('asks the page for a fresh token when one is about to expire, and when one was refused', async () => {
    const key = await addKeyWithSecret(test, acme);
    const fresh = () => addUserToken(test, key, { externalId: 'anna' });
    let asked = 0;
    const getUserToken = () => {
      asked += 1;
      return fresh();
    };
    const first = await fresh();
    const late = openTestBrowser(origin, new Map(), () => Date.now() + 59.5 * 60_000);
    const session = open(late, { apiKey: key.key.key, userToken: first, getUserToken });
    session.send(question);
    await session.answered();
    assert.ok(asked > 0);
    assert.ok(!late.sent.some((text) => text.includes(first)));
    const broken = `${first.slice(0, -4)}AAAA`;
    const other = open(openTestBrowser(origin), {
      ...{ apiKey: key.key.key, userToken: broken, getUserToken },
    });
    other.send(question);
    const { identity } = await other.answered();
    assert.equal(identity?.kind, 'end_user');
  });

  it('works where storage is blocked', async () => {
    const browser = openTestBrowser(origin);
    browser.store = () => {
      throw new Error('blocked');
    };
    const session = open(browser);
    session.send(question);
    await session.answered();
    session.send('And the backups of the server once more?');
    await session.answered(2);
    const ids = session.state.messages.flatMap(({ reply }) => reply?.conversationId ?? []);
    assert.equal(new Set(ids).size, 1);
  });

  const askedInVain = async (session: TestSession) => {
    session.send('What does the cafeteria serve on Fridays?');
    const { messages } = await session.answered();
    const { key = '', reply } = messages[1] ?? {};
    assert.equal(reply?.canRequest, true);
    session.askPerson(key);
    await session.until((state) => state.messages[1]?.request === 'filed');
  };
  it('hands a question to a person once, however often the button is pressed', async () => {
    const session = open(openTestBrowser(origin));
    session.send('What does the cafeteria serve on Fridays?');
    const { messages } = await session.answered();
    const key = messages[1]?.key ?? '';
    for (let n = 0; n < 3; n += 1) session.askPerson(key);
    await session.until((state) => state.messages[1]?.request === 'filed');
    session.askPerson(key);
    const posted = session.browser.asked.filter((path) => path === 'POST /widget/requests');
    assert.equal(posted.length, 1);
  });

  it('hands over a question of a conversation that is gone, and is told of the answer', async () => {
    const stored = new Map<string, string>();
    const session = open(openTestBrowser(origin, stored));
    session.send('What does the cafeteria serve on Fridays?');
    const { messages, conversationId } = await session.answered();
    await test.app.db.write('conversations').where({ id: conversationId }).delete();
    session.askPerson(messages[1]?.key ?? '');
    await session.until((state) => state.messages[1]?.request === 'filed');
    await answerRequest();
    await session.until(({ notifications }) => notifications[0]?.response === 'Fish.');
  });

  it('lets an end user leave an address whom the host has named none of', async () => {
    const key = await addKeyWithSecret(test, acme);
    const known = { externalId: 'anna', email: 'anna@example.com' };
    const has = async (given: { externalId: string; email?: string }) => {
      const userToken = await addUserToken(test, key, given);
      const session = open(openTestBrowser(origin), { apiKey: key.key.key, userToken });
      session.setVisible(true);
      const { identity } = await session.until((state) => state.identity?.hasEmail !== undefined);
      return { session, hasEmail: identity?.hasEmail };
    };
    assert.equal((await has(known)).hasEmail, true);
    const { session, hasEmail } = await has({ externalId: 'berta' });
    assert.equal(hasEmail, false);
    session.send('What does the cafeteria serve on Fridays?');
    const { messages } = await session.answered();
    session.askPerson(messages[1]?.key ?? '', 'berta@example.com');
    await session.until((state) => state.messages[1]?.request === 'filed');
    const [request] = await test.app.db.read<{ requester_email: string }>('knowledge_requests');
    assert.equal(request?.requester_email, 'berta@example.com');
  });

  const answerRequest = () =>
    updateRequest(test.app, acme.operator, 1, { status: 'resolved', response: 'Fish.' });

  it('hands a question to a person, and shows the answer as soon as it comes', async () => {
    const session = open(openTestBrowser(origin));
    await askedInVain(session);
    await answerRequest();
    const { notifications, unread } = await session.until((state) => state.unread > 1);
    assert.deepEqual(
      notifications.map(({ response, read }) => [response, read]),
      [['Fish.', false]],
    );
    assert.equal(unread, 2);
    session.setVisible(true);
    session.markNotificationRead(notifications[0]?.id ?? 0);
    assert.equal(session.state.unread, 0);
  });

  it('shows on the next page what was answered meanwhile, and asks for it only once the panel opens', async () => {
    const stored = new Map<string, string>();
    const first = open(openTestBrowser(origin, stored));
    await askedInVain(first);
    first.destroy();
    await answerRequest();
    const second = open(openTestBrowser(origin, stored));
    second.start();
    await second.until(({ unread }) => unread === 1);
    assert.deepEqual(second.browser.asked, ['GET /widget/config']);
    second.setVisible(true);
    const { notifications } = await second.until((state) => state.notifications.length > 0);
    assert.equal(notifications[0]?.response, 'Fish.');
  });

  it('learns what it missed while the connection was lost', async () => {
    const session = open(openTestBrowser(origin));
    session.setVisible(true);
    await askedInVain(session);
    session.browser.setOnline(false);
    await session.until(({ connection }) => connection === 'offline');
    await answerRequest();
    session.browser.setOnline(true);
    const { notifications } = await session.until((state) => state.notifications.length > 0);
    assert.equal(notifications[0]?.response, 'Fish.');
  });

  it('keeps what is thought of an answer, and takes the same again for taking it back', async () => {
    const stored = new Map<string, string>();
    const session = open(openTestBrowser(origin, stored));
    session.send(question);
    const { messages } = await session.answered();
    const key = messages[1]?.key ?? '';
    const rated = async () => {
      const again = open(openTestBrowser(origin, stored));
      again.setVisible(true);
      return (await again.answered()).messages[1]?.rating;
    };
    let done = session.browser.next('POST /widget/feedback');
    session.rate(key, 'up');
    await done;
    assert.equal(await rated(), 'up');
    done = session.browser.next('POST /widget/feedback');
    session.rate(key, 'up');
    await done;
    assert.equal(await rated(), undefined);
  });

  it('signs in by the form, says who it is, and leaves nothing behind after signing out', async () => {
    const user = await addUser(test, acme, 'user');
    const stored = new Map<string, string>();
    const session = open(openTestBrowser(origin, stored));
    session.send(question);
    await session.answered();
    await assert.rejects(session.signIn(user.email, 'wrong'), ({ code }: { code: string }) => {
      assert.equal(session.state.signedIn, false);
      return code === 'unauthenticated';
    });
    await session.signIn(user.email, user.password);
    assert.deepEqual([session.state.signedIn, texts(session)], [true, []]);
    assert.equal(session.state.identity?.kind, 'end_user');
    session.send('And the backups of the server again?');
    await session.answered();
    const again = open(openTestBrowser(origin, stored));
    again.setVisible(true);
    await again.answered();
    assert.equal(again.state.signedIn, true);
    session.signOut();
    assert.deepEqual([session.state.signedIn, texts(session)], [false, []]);
    await session.until(({ identity }) => identity?.kind === 'visitor');
  });

  it('sends what people write masked, and shows it to them as they wrote it', async () => {
    const session = open(openTestBrowser(origin));
    session.send('Is hunter2 in the backups of the server?');
    await session.answered();
    assert.equal(texts(session)[0], 'Is hunter2 in the backups of the server?');
    const sent = session.browser.sent.join('');
    assert.ok(sent.includes('[SECRET]') && !sent.includes('hunter2'));
  });

  it('leaves nothing open', async () => {
    const session = open(openTestBrowser(origin));
    session.send(question);
    await session.until(({ connection }) => connection === 'online');
    session.destroy();
    await Promise.all(
      [...session.browser.sockets].map((socket) => new Promise((end) => socket.once('close', end))),
    );
    assert.equal(session.browser.sockets.size, 0);
  });
});
