import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createRequestLimits } from '../../src/platform/http/request-limits.js';
import { acceptSockets } from '../../src/widget/accept-sockets.js';
import { usualTimings } from '../../src/widget/hold-socket.js';
import { closeCodes } from '../../src/chat/protocol.js';
import { callApi } from '../support/api-client.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { connectTo } from '../support/raw-http.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  serveTestApp,
  unanswered,
  type ConfigInput,
} from '../support/test-app.js';
import { createTestClock } from '../support/test-clock.js';
import { openWidget, welcomeWidget, type WidgetClient } from '../support/widget-client.js';
import { addWidgetKey } from '../support/widget-keys.js';

const origin = 'https://acme.example';
const question = { message: 'When are backups made?', context: { url: origin, title: '' } };

/** Sends a request as it stands; resolves to the answer once the connection is over. */
async function sendRaw(url: string, text: string): Promise<string> {
  const { socket, closed } = await connectTo(url);
  socket.write(text);
  return closed;
}

async function serveAcme(config: ConfigInput = {}) {
  const test = await serveTestApp(config, createTestClock());
  const acme = await addOrganization(test);
  await storeEntry(test, acme, { title: 'Backups', content: 'Backups are made at night.' });
  return { ...test, apiKey: await addWidgetKey(test, acme, 'public') };
}

describe('A client of the widget’s WebSocket', () => {
  let test: Awaited<ReturnType<typeof serveAcme>>;
  let client: WidgetClient | undefined;
  before(async () => {
    test = await serveAcme();
  });
  after(() => test.close());
  afterEach(async () => {
    await client?.close();
    client = undefined;
  });

  const open = async () => (client = await openWidget(test.url, { origin }));
  const welcome = async () =>
    (client = await welcomeWidget(test.url, origin, { apiKey: test.apiKey }));

  it('is told to try again while the database does not answer, with its hello too', async () => {
    const { db } = test.app;
    const { read } = db;
    const { send, next } = await welcome();
    const greeted = await open();
    try {
      db.read = unanswered();
      send({ type: 'message', id: 'a', ...question });
      assert.equal((await next('error', 'a')).code, 'database_busy');
      greeted.send({ type: 'hello', apiKey: test.apiKey });
      assert.equal((await greeted.next('error')).code, 'database_busy');
      assert.equal((await greeted.closed).code, closeCodes.tryAgainLater);
    } finally {
      db.read = read;
    }
  });

  it('is refused and disconnected if it asks before its hello', async () => {
    for (const frame of [
      { type: 'message' as const, id: 'a', ...question },
      { type: 'resume' as const, id: 'a', conversationId: 'x', questionId: 1 },
      { type: 'cancel' as const, id: 'a' },
      { type: 'ping' as const },
    ]) {
      const eager = await openWidget(test.url, { origin });
      eager.send(frame);
      assert.equal((await eager.next('error')).code, 'unauthenticated');
      assert.equal((await eager.closed).code, closeCodes.unauthenticated);
    }
  });

  it('gets invalid_request for a malformed frame and keeps its connection', async () => {
    const wrong = [
      ...['', '{', 'null', '[]', '"hello"', '{}', '{"type":"constructor"}', '{"type":"welcome"}'],
      ...['{"type":"ping","more":1}', '{"type":"cancel"}', '{"type":"cancel","id":""}'],
      JSON.stringify({ type: 'cancel', id: 'x'.repeat(101) }),
      JSON.stringify({ type: 'message', id: 'a', ...question, message: '' }),
      JSON.stringify({ type: 'message', id: 'a', ...question, message: 'x'.repeat(8001) }),
      JSON.stringify({
        type: 'message',
        id: 'a',
        message: 'x',
        context: { url: 'x'.repeat(5000) },
      }),
      JSON.stringify({ type: 'message', id: 'a', message: 'x', context: { url: 'no', title: '' } }),
      JSON.stringify({ type: 'message', id: 'a', ...question, message: 'a\u0000b' }),
      '{"type":"message","id":"a","message":"\\ud800","context":{"url":"https://a.b","title":""}}',
      JSON.stringify({ type: 'resume', id: 'a', conversationId: 'x', questionId: 1e300 }),
      JSON.stringify({ type: 'resume', id: 'a', conversationId: 'x', questionId: 1, after: -1 }),
      `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      '{"type":"ping","__proto__":{"x":1}}',
    ];
    const fields: (string | undefined)[] = [];
    for (const text of wrong) {
      const { socket, next, send, close } = await welcome();
      socket.send(text);
      const { code, id, errors } = await next('error');
      assert.equal(code, 'invalid_request', text.slice(0, 80));
      if (id === 'a') fields.push(errors?.[0]?.path);
      send({ type: 'ping' });
      await next('pong');
      await close();
    }
    const [text, page] = ['message', 'context.url'];
    assert.deepEqual(fields, [text, text, page, page, text, text, 'questionId', 'after']);
  });

  it('is disconnected after ten malformed frames', async () => {
    for (const client of [await open(), await welcome()]) {
      for (let count = 0; count < 50; count += 1) client.socket.send('{');
      assert.equal((await client.closed).code, closeCodes.policyViolation);
      const errors = client.frames.filter(({ type }) => type === 'error');
      assert.equal(errors.length, 10, 'the rest is not looked at');
    }
  });

  it('may send at most one hello’s size before its hello; what follows is not read', async () => {
    const long = 'x'.repeat(4096);
    const hello = { type: 'hello' as const, userToken: long, visitorToken: long };
    const slow = await open();
    slow.send({ ...hello, apiKey: test.apiKey });
    assert.notEqual((await slow.next('error')).code, 'invalid_request', 'a hello fits');
    for (const frame of [`{"type":"ping"${',"a":1'.repeat(3000)}}`, `"${'x'.repeat(16_384)}"`]) {
      const wild = await openWidget(test.url, { origin });
      wild.socket.send(frame);
      wild.send({ ...hello, apiKey: test.apiKey });
      assert.equal((await wild.closed).code, closeCodes.tooLarge);
      assert.deepEqual(wild.frames, []);
    }
  });

  it('is refused before parsing if a frame has more keys or levels than a page', async () => {
    const { socket, next, send } = await welcome();
    const refused = async (text: string, sentence: RegExp) => {
      socket.send(text);
      assert.match((await next('error')).message, sentence);
    };
    // Were it parsed, it would be refused as what is no JSON.
    await refused(`{"a":[${'1,'.repeat(60_000)}`, /^The frame has more than 5000 keys and items/);
    const context = { ...question.context, selectedText: '€'.repeat(8000) };
    const message = `${question.message} ${'€'.repeat(7900)}`;
    send({ type: 'message', id: 'whole', message, context });
    await next('done', 'whole');
  });

  it('gets not_found for a conversation that is not its own', async () => {
    const { send, next } = await welcome();
    const conversationId = '00000000-0000-4000-8000-000000000000';
    send({ type: 'resume', id: 'r', conversationId, questionId: 1 });
    assert.equal((await next('error', 'r')).code, 'not_found');
    send({ type: 'message', id: 'm', ...question, conversationId });
    assert.equal((await next('error', 'm')).code, 'not_found');
    // Of an answer that is over or never was there is nothing to cancel.
    send({ type: 'cancel', id: 'never' });
    send({ type: 'ping' });
    await next('pong');
  });

  it('is disconnected if it sends binary frames, too large frames or invalid UTF-8', async () => {
    const cases: [code: number, (client: WidgetClient) => void][] = [
      [closeCodes.unsupportedData, ({ socket }) => socket.send(Buffer.from('{"type":"ping"}'))],
      [closeCodes.tooLarge, ({ socket }) => socket.send('x'.repeat(128 * 1024 + 1))],
      [1007, ({ socket }) => socket.send(Buffer.from([0xff, 0xfe]), { binary: false })],
    ];
    for (const [code, misbehave] of cases) {
      const wild = await openWidget(test.url, { origin });
      misbehave(wild);
      assert.equal((await wild.closed).code, code);
    }
  });

  it('is disconnected if it floods the server, and other clients stay connected', async () => {
    const calm = await welcome();
    for (const flood of [
      ({ send }: WidgetClient) => send({ type: 'ping' }),
      ({ socket }: WidgetClient) => socket.ping(),
    ]) {
      const wild = await welcomeWidget(test.url, origin, { apiKey: test.apiKey });
      for (let count = 0; count < 700; count += 1) flood(wild);
      assert.equal((await wild.closed).code, closeCodes.policyViolation);
    }
    calm.send({ type: 'ping' });
    await calm.next('pong');
  });

  it('can upgrade only GET requests for the widget’s address', async () => {
    await assert.rejects(openWidget(test.url, { origin, path: '/widget/other' }));
    await assert.rejects(openWidget(test.url, { origin, path: '/' }));
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    const bare = await sendRaw(
      test.url,
      `GET /widget/ws HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\n${upgrade}\r\n`,
    );
    assert.match(bare, /^HTTP\/1.1 400 /);
    const posted = await sendRaw(
      test.url,
      `POST /widget/ws HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\n${upgrade}Content-Length: 0\r\n\r\n`,
    );
    assert.match(posted, /^HTTP\/1.1 4\d\d /);
  });

  it('gets an HTTP answer if it asks for another protocol', async () => {
    const h2c =
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
    const live = await sendRaw(test.url, `GET /health/live HTTP/1.1\r\nHost: x\r\n${h2c}\r\n`);
    assert.match(live, /^HTTP\/1.1 200 OK/);
    assert.match(live, /x-request-id/i);
    const posted = await sendRaw(
      test.url,
      `POST /api/auth/login HTTP/1.1\r\nHost: x\r\n${h2c}Content-Length: 2\r\n\r\n{}`,
    );
    assert.match(posted, /^HTTP\/1.1 400 /);
  });

  it('renews its credentials without losing the connection', async () => {
    const { send, next, until } = await open();
    send({ type: 'hello', apiKey: test.apiKey });
    const { visitorToken } = await next('welcome');
    send({ type: 'message', id: 'a', ...question });
    const { conversationId } = await next('done', 'a');
    send({ type: 'hello', apiKey: test.apiKey, visitorToken });
    send({ type: 'message', id: 'b', ...question, conversationId });
    await until((frame) => frame.type === 'done' && frame.id === 'b');
  });
});

describe('A widget connection on which another person signs in', () => {
  it('sends no more of the previous person’s answer and can’t cancel it', async () => {
    const ollama = await startOllamaStandIn({ answer: () => 'At night [1].', stallAfter: 1 });
    const test = await serveAcme({ ollama: { url: ollama.url } });
    const client = await welcomeWidget(test.url, origin, { apiKey: test.apiKey });
    client.send({ type: 'message', id: 'a', ...question });
    await client.next('delta', 'a');
    // Renewing the credentials of the same visitor changes nothing.
    const { apiKey } = test;
    const { visitorToken } = client;
    client.send({ type: 'hello', apiKey, visitorToken });
    client.send({ type: 'message', id: 'a', ...question });
    assert.equal((await client.next('error', 'a')).code, 'conflict');
    client.send({ type: 'hello', apiKey });
    client.send({ type: 'message', id: 'b', ...question });
    await client.next('delta', 'b');
    const seen = client.frames.length;
    client.send({ type: 'cancel', id: 'a' });
    ollama.stallAfter = undefined;
    ollama.release();
    await client.next('done', 'b');
    const late = client.frames.slice(seen).filter((frame) => 'id' in frame && frame.id === 'a');
    assert.deepEqual(late, []);
    assert.equal(ollama.aborted, 0, 'nor may the next one cancel it');
    await client.close();
    await test.close();
    await ollama.stop();
  });
});

describe('The limits of the widget’s WebSocket', () => {
  it('allow four answers at a time on one connection, each under its own id', async () => {
    const ollama = await startOllamaStandIn({ stallAfter: 0 });
    const test = await serveAcme({ ollama: { url: ollama.url, concurrency: 8 } });
    const client = await welcomeWidget(test.url, origin, { apiKey: test.apiKey });
    for (const id of ['a', 'b', 'c', 'd']) client.send({ type: 'message', id, ...question });
    client.send({ type: 'message', id: 'e', ...question });
    const refused = await client.next('error', 'e');
    assert.deepEqual([refused.code, refused.retryAfter], ['rate_limited', 1]);
    client.send({ type: 'message', id: 'a', ...question });
    assert.equal((await client.next('error', 'a')).code, 'conflict');
    client.send({ type: 'cancel', id: 'b' });
    await client.next('error', 'b');
    client.send({ type: 'message', id: 'b2', ...question });
    await client.next('started', 'b2');
    for (const id of ['a', 'c', 'd', 'b2']) client.send({ type: 'cancel', id });
    await client.close();
    await test.close();
    await ollama.stop();
  });

  it('count questions together with those over HTTP, and say when to retry', async () => {
    const test = await serveAcme({ limits: { messages_per_minute: 3 } });
    const client = await welcomeWidget(test.url, origin, { apiKey: test.apiKey });
    const headers = { Origin: origin };
    const ask = () =>
      callApi(`${test.url}/widget/message`, { key: test.apiKey, headers, body: question });
    assert.equal((await ask()).status, 200);
    for (const id of ['a', 'b']) {
      client.send({ type: 'message', id, ...question });
      await client.next('done', id);
    }
    client.send({ type: 'message', id: 'c', ...question });
    const { code, retryAfter = 0 } = await client.next('error', 'c');
    assert.equal(code, 'rate_limited');
    // 20 seconds after the first question, which a busy machine answers later.
    assert.ok(retryAfter > 0 && retryAfter <= 20, String(retryAfter));
    // Whoever comes as somebody else is the same address still.
    assert.equal((await ask()).status, 429);
    await client.close();
    await test.close();
  });

  it('refuse a question for which two of them are reached, and do no other harm', async () => {
    const ollama = await startOllamaStandIn({ stallAfter: 1 });
    const limits = { answers_at_once: 1, messages_per_minute: 1 };
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const test = await serveAcme({ limits, ollama: { url: ollama.url } });
    const client = await welcomeWidget(test.url, origin, { apiKey: test.apiKey });
    client.send({ type: 'message', id: 'a', ...question });
    await client.next('delta', 'a');
    client.send({ type: 'message', id: 'b', ...question });
    assert.equal((await client.next('error', 'b')).code, 'rate_limited');
    ollama.release();
    await client.next('done', 'a');
    await client.close();
    await test.close();
    await ollama.stop();
    process.off('unhandledRejection', note);
    // It would end the process of a server.
    assert.deepEqual(unhandled, []);
  });

  it('bound the connections of each address and app, and free a place when one closes', async () => {
    const test = await serveAcme({ widget: { sockets_per_address: 2 } });
    const { apiKey } = test;
    const [one, two] = [
      await openWidget(test.url, { origin }),
      await openWidget(test.url, { origin }),
    ];
    await assert.rejects(openWidget(test.url, { origin }), { message: '429 rate_limited' });
    await one.close();
    const three = await welcomeWidget(test.url, origin, { apiKey });
    await Promise.all([two.close(), three.close()]);
    await test.close();
    const small = await serveAcme({ widget: { sockets_per_app: 1 } });
    const first = await welcomeWidget(small.url, origin, { apiKey: small.apiKey });
    const second = await openWidget(small.url, { origin });
    second.send({ type: 'hello', apiKey: small.apiKey });
    assert.equal((await second.next('error')).code, 'rate_limited');
    assert.equal((await second.closed).code, closeCodes.tooManySockets);
    await first.close();
    await (await welcomeWidget(small.url, origin, { apiKey: small.apiKey })).close();
    await small.close();
  });

  it('accept localhost pages on any port if the configuration allows localhost', async () => {
    const test = await serveAcme({ widget: { allow_localhost: true } });
    for (const local of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:8080']) {
      await (await welcomeWidget(test.url, local, { apiKey: test.apiKey })).close();
    }
    await assert.rejects(openWidget(test.url, { origin: 'https://localhost.evil.io' }));
    await test.close();
  });
});

describe('A silent connection of the widget', () => {
  let server: Server;
  let test: Awaited<ReturnType<typeof openTestApp>>;
  let url: string;
  const connections: Socket[] = [];

  /** As serve does, but in less time. */
  const listen = async (timings: Partial<typeof usualTimings>) => {
    test = await openTestApp();
    await addOrganization(test);
    const sockets = await acceptSockets(test.app, {
      limits: createRequestLimits(test.app, () => undefined),
      addressOf: () => '127.0.0.1',
      timings: { ...usualTimings, ...timings },
    });
    server = createServer();
    connections.length = 0;
    server.on('connection', (socket) => connections.push(socket));
    server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  afterEach(async () => {
    server.close();
    await test.close();
  });

  it('is closed if no hello arrives in time', async () => {
    await listen({ hello: 20 });
    const { closed } = await openWidget(url, { origin });
    assert.equal((await closed).code, closeCodes.unauthenticated);
  });

  it('is cut if it answers no ping, and stays open while it answers', async () => {
    const beats: (() => void)[] = [];
    const { setInterval: repeat } = globalThis;
    const heartbeat = 123_456;
    // The test makes each beat itself: on a busy machine an answer may come later than the next beat.
    globalThis.setInterval = ((beat: () => void, ms: number) => {
      if (ms === heartbeat) beats.push(beat);
      return repeat(beat, ms);
    }) as typeof setInterval;
    try {
      await listen({ heartbeat });
      const [alive, dead] = [await openWidget(url, { origin }), await openWidget(url, { origin })];
      dead.socket.removeAllListeners('ping');
      dead.socket.pong = () => undefined;
      const [connection] = connections;
      for (let round = 0; round < 4; round += 1) {
        const before = connection?.bytesRead;
        for (const beat of beats) beat();
        while (connection?.bytesRead === before && !connection?.destroyed)
          await new Promise(setImmediate);
      }
      assert.equal((await dead.closed).code, 1006);
      assert.equal(alive.socket.readyState, alive.socket.OPEN);
      await alive.close();
    } finally {
      globalThis.setInterval = repeat;
    }
  });
});
