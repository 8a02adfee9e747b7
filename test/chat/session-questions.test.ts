import assert from 'node:assert/strict';
import { origin, question, said, texts, useSessionWorld } from '../support/session-world.js';
import { addOrganization, serveTestApp } from '../support/test-app.js';
import { openTestBrowser, type TestSession } from '../support/test-browser.js';
import { addWidgetKey } from '../support/widget-keys.js';

describe('The questions of a session', () => {
  const world = useSessionWorld();
  const { open, holdAnswer } = world;
  const messagesIn = ({ browser }: TestSession) =>
    browser.sent.filter((text) => text.includes('"type":"message"')).length;

  it('are sent once each and in order after the connection opens', async () => {
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

  it('do not show the reader as offline if too many of them wait', () => {
    const session = open(openTestBrowser(origin));
    for (let n = 0; n < 22; n += 1) session.send(`Question ${n}?`);
    const failed = session.state.messages.filter(({ status }) => status === 'failed');
    assert.deepEqual(
      failed.map(({ text, error }) => [text, error?.code]),
      [20, 21].map((n) => [`Question ${n}?`, 'too_many_waiting']),
    );
  });

  it('continue with the answer after a lost connection, and are sent only once', async () => {
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
    it(`are asked only once if the connection lost the ${lost}`, async () => {
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

  it('are sent in a new conversation even if they repeat the previous one’s last question and were lost on their way', async () => {
    const browser = openTestBrowser(origin);
    const session = open(browser);
    session.send(question);
    await session.answered();
    const before = session.state.conversationId;
    session.newConversation();
    browser.lets.out = (text) => {
      if (!text.includes('"type":"message"')) return true;
      browser.lets.out = () => true;
      return false;
    };
    session.send(question);
    await session.answered();
    assert.deepEqual(texts(session), [question, said]);
    assert.notEqual(session.state.conversationId, before);
    assert.equal(messagesIn(session), 3);
    assert.equal((await session.listConversations()).length, 2);
  });

  it('stay in the conversation in which they were asked offline', async () => {
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

  it('show how long to wait after too many questions', async () => {
    const limited = await serveTestApp({
      ollama: { url: world.ollama.url },
      limits: { messages_per_minute: 1 },
    });
    const organization = await addOrganization(limited);
    const key = await addWidgetKey(limited, organization, 'public');
    const session = open(openTestBrowser(origin), { apiKey: key }, undefined, limited.url);
    try {
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
      session.destroy();
      await limited.close();
    }
  });

  it('continue with a running answer after a reload', async () => {
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

  it('are streamed over HTTP if there is no WebSocket', async () => {
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

  for (const over of ['cancelled', 'rate_limited'] as const)
    it(`reconnect without a WebSocket after the answer of an outage ends: ${over}`, async () => {
      const browser = openTestBrowser(origin);
      browser.blockSockets = true;
      const session = open(browser);
      session.send(question);
      await session.answered();
      browser.intercept = (path) =>
        path === '/widget/message' ? Promise.reject(new TypeError('unreachable')) : undefined;
      session.send('And the backups of the server again?');
      const { messages } = await session.until(({ connection }) => connection === 'reconnecting');
      const refusal = JSON.stringify({ code: over, detail: 'Later.' });
      if (over === 'cancelled') session.cancel(messages[2]?.key ?? '');
      else browser.intercept = () => Promise.resolve(new Response(refusal, { status: 429 }));
      const after = await session.until(({ connection }) => connection === 'online');
      assert.equal(after.messages[2]?.error?.code, over);
    });

  it('fall back to a plain answer if the stream is empty, and are sent only once', async () => {
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

  it('show an answer that was cancelled as cancelled, whatever another server reports', async () => {
    const browser = openTestBrowser(origin);
    browser.blockSockets = true;
    const { readable, writable } = new TransformStream<string, string>();
    const writer = writable.getWriter();
    const say = (text: string) => void writer.write(text);
    browser.intercept = (path) => {
      if (path.endsWith('/cancel')) {
        say('event: error\ndata: {"code":"interrupted","message":"It broke off."}\n\n');
        return Promise.resolve(new Response(null, { status: 204 }));
      }
      if (path !== '/widget/message') return undefined;
      say('id: 1\nevent: started\ndata: {"conversationId":"c","questionId":1}\n\n');
      const headers = { 'Content-Type': 'text/event-stream' };
      const body = readable.pipeThrough(new TextEncoderStream());
      return Promise.resolve(new Response(body, { headers }));
    };
    const session = open(browser);
    session.send(question);
    const { messages } = await session.until(({ conversationId }) => conversationId === 'c');
    session.cancel(messages[1]?.key ?? '');
    const after = await session.until((state) => state.messages[0]?.status === 'failed');
    assert.equal(after.messages[0]?.error?.code, 'cancelled');
    assert.ok(session.events.every(({ event }) => event !== 'error'));
  });

  it('keep the text of an answer that the reader stops', async () => {
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
});
