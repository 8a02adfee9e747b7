import assert from 'node:assert/strict';
import { origin, question, said, texts, useSessionWorld } from '../support/session-world.js';
import { storeEntry } from '../support/stored-entry.js';
import { openTestBrowser } from '../support/test-browser.js';

describe('A session of the widget', () => {
  const world = useSessionWorld();
  const { open } = world;

  it('sends no request before a new user opens the panel', async () => {
    const session = open(openTestBrowser(origin));
    session.start();
    assert.deepEqual(session.browser.asked, []);
    session.setVisible(true);
    const { identity } = await session.until(({ connection }) => connection === 'online');
    assert.equal(identity?.kind, 'visitor');
    const { suggestions } = await session.until((state) => state.suggestions.length > 0);
    assert.deepEqual(suggestions, ['Server: Backups']);
  });

  it('suggests only entries in the panel’s language, also after the language changes', async () => {
    const content = 'Die Sicherungen des Servers werden jede Nacht gemacht.';
    const entry = { title: 'Wann wird gesichert?', content, urlPattern: '/backups' };
    await storeEntry(world.test, world.acme, entry);
    const page = { url: `${origin}/backups`, title: 'Server: Backups', language: 'en' };
    const session = open(openTestBrowser(origin), {}, page);
    session.setVisible(true);
    const english = await session.until((state) => state.suggestions.length > 0);
    assert.deepEqual(english.suggestions, ['Server: Backups']);
    assert.equal(english.organization, 'Acme');
    page.language = 'de';
    session.suggest();
    const german = await session.until(({ suggestions }) => suggestions !== english.suggestions);
    assert.deepEqual(german.suggestions, ['Wann wird gesichert?']);
  });

  it('answers over a WebSocket and passes both messages to the page', async () => {
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

  it('shows the page’s suggestions below the greeting, else the service’s, and none after a reload', async () => {
    const stored = new Map<string, string>();
    const ours = open(openTestBrowser(origin), { suggestions: ['Ours?'] });
    const theirs = open(openTestBrowser(origin, stored));
    for (const [session, offered] of [
      [ours, ['Ours?']],
      [theirs, ['Server: Backups']],
    ] as const) {
      session.send('Hello!');
      const { reply } = (await session.answered()).messages[1] ?? {};
      assert.deepEqual([reply?.found, reply?.suggestions], [null, offered]);
    }
    theirs.destroy();
    const again = open(openTestBrowser(origin, stored));
    again.setVisible(true);
    const { reply } = (await again.until(({ messages }) => messages.length > 1)).messages[1] ?? {};
    assert.deepEqual(
      [reply?.found, reply?.canRequest, reply?.suggestions],
      [null, false, undefined],
    );
  });

  it('restores the conversation after a reload, in the same browser only', async () => {
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

  it('refuses a message that is too long and reports this to the page', () => {
    const session = open(openTestBrowser(origin));
    session.send('x'.repeat(8001));
    assert.deepEqual(session.state.messages, []);
    const [{ event, payload } = { event: '', payload: {} }] = session.events;
    assert.equal(event, 'error');
    assert.deepEqual((payload as { code: string }).code, 'invalid_request');
  });

  it('fails a question if reading the page throws, instead of retrying for ever', async () => {
    const { error } = console;
    const written: unknown[][] = [];
    console.error = (...given) => void written.push(given);
    try {
      const page = {
        title: 'Server: Backups',
        get url(): string {
          throw new Error('a getter of the page');
        },
      };
      const session = open(openTestBrowser(origin), {}, page);
      session.send(question);
      const state = await session.until(({ messages }) => messages[0]?.status === 'failed');
      assert.equal(state.messages[0]?.error?.code, 'internal');
      assert.match(String(written[0]?.[1]), /a getter of the page/);
    } finally {
      console.error = error;
    }
  });

  it('stops for good if the service refuses its key', async () => {
    const session = open(openTestBrowser(origin), { apiKey: `wk_live_${'x'.repeat(32)}` });
    session.setVisible(true);
    const { refused } = await session.until((state) => state.refused !== undefined);
    assert.equal(refused?.code, 'unauthenticated');
    const elsewhere = open(openTestBrowser('https://evil.example'));
    elsewhere.setVisible(true);
    const state = await elsewhere.until((one) => one.refused !== undefined);
    assert.equal(state.refused?.code, 'origin_not_allowed');
  });

  it('works if the browser blocks storage', async () => {
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

  it('counts answers that arrive while the panel is closed', async () => {
    const session = open(openTestBrowser(origin));
    session.send(question);
    await session.answered();
    await session.until(({ unread }) => unread === 1);
    session.setVisible(true);
    assert.equal(session.state.unread, 0);
  });

  it('sends masked text, and shows the reader the text as typed', async () => {
    const session = open(openTestBrowser(origin));
    session.send('Is hunter2 in the backups of the server?');
    await session.answered();
    assert.equal(texts(session)[0], 'Is hunter2 in the backups of the server?');
    const sent = session.browser.sent.join('');
    assert.ok(sent.includes('[SECRET]') && !sent.includes('hunter2'));
  });

  it('opens no connection after it was destroyed', async () => {
    const stored = new Map<string, string>();
    const before = open(openTestBrowser(origin, stored));
    before.send(question);
    await before.answered();
    for (const isNew of [true, false]) {
      const browser = openTestBrowser(origin, isNew ? undefined : stored);
      const session = open(browser);
      session.setVisible(true);
      session.destroy();
      await new Promise(setImmediate);
      assert.deepEqual([browser.sockets.size, browser.asked], [0, []]);
      const late = open(browser);
      const asked = new Promise<void>((resolve) => {
        browser.intercept = () => {
          late.destroy();
          resolve();
          return Promise.reject(new TypeError('gone'));
        };
      });
      late.setVisible(true);
      await asked;
      await new Promise(setImmediate);
      assert.equal([...browser.sockets].filter(({ readyState }) => readyState < 2).length, 0);
    }
  });

  it('closes its WebSockets when it is destroyed', async () => {
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
