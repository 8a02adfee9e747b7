import assert from 'node:assert/strict';
import { serve } from '../../src/main/serve.js';
import { closeCodes } from '../../src/chat/protocol.js';
import { callApi } from '../support/api-client.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  serveTestApp,
  unanswered,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { openWidget, welcomeWidget } from '../support/widget-client.js';
import { addKeyWithSecret, addUserToken, addWidgetKey } from '../support/widget-keys.js';

describe('A widget on its WebSocket', () => {
  let ollama: OllamaStandIn;
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let apiKey: string;
  const origin = 'https://acme.example';
  const context = { url: `${origin}/backups`, title: 'Backups' };
  const message = 'When are the backups of the server made?';
  const said = 'They are made every single night [1].';

  beforeEach(async () => {
    ollama = await startOllamaStandIn({ answer: () => said });
    test = await serveTestApp({ ollama: { url: ollama.url, concurrency: 8 } });
    acme = await addOrganization(test);
    apiKey = await addWidgetKey(test, acme, 'public');
    const content = 'Backups of the server are made every single night.';
    await storeEntry(test, acme, { title: 'Backups', content });
    const secret = 'Backups of the server are encrypted with a passphrase of the vault.';
    await storeEntry(test, acme, { title: 'Vault', content: secret, visibility: 'authenticated' });
  });
  afterEach(async () => {
    await test.close();
    await ollama.stop();
  });

  const read = (visitorToken: string, id: string) =>
    callApi<{ data: { role: string; content: string; status: string }[] }>(
      `${test.url}/widget/conversations/${id}/messages`,
      { key: apiKey, headers: { Origin: origin, 'X-Visitor-Token': visitorToken } },
    );

  it('receives a welcome, then the answer in pieces, then the whole answer', async () => {
    const client = await welcomeWidget(test.url, origin, { apiKey });
    client.send({ type: 'message', id: 'a', message, context });
    const done = await client.next('done', 'a');
    assert.equal(done.response, said);
    assert.deepEqual([done.mode, done.found, done.status], ['ollama', true, 'complete']);
    assert.deepEqual(
      done.sources.map(({ number, title }) => [number, title]),
      [[1, 'Backups']],
    );
    const deltas = client.frames.flatMap((frame) => (frame.type === 'delta' ? [frame.text] : []));
    assert.equal(deltas.join(''), said);
    assert.ok(deltas.length > 1);
    const events = client.frames.flatMap((frame) => ('event' in frame ? [frame.event] : []));
    assert.deepEqual(
      events,
      events.map((_, index) => index + 1),
    );
    client.send({ type: 'ping' });
    await client.next('pong');
    await client.close();
  });

  it('continues a conversation that only its own visitor can read over HTTP', async () => {
    const client = await welcomeWidget(test.url, origin, { apiKey });
    client.send({ type: 'message', id: 'a', message, context });
    const { conversationId } = await client.next('done', 'a');
    client.send({ type: 'message', id: 'b', message, context, conversationId });
    assert.equal((await client.next('done', 'b')).conversationId, conversationId);
    const mine = await read(client.visitorToken, conversationId);
    assert.deepEqual(
      mine.body.data.map(({ role }) => role),
      ['user', 'assistant', 'user', 'assistant'],
    );
    const other = await welcomeWidget(test.url, origin, { apiKey });
    assert.equal((await read(other.visitorToken, conversationId)).status, 404);
    other.send({ type: 'message', id: 'a', message, context, conversationId });
    assert.equal((await other.next('error', 'a')).code, 'not_found');
    await Promise.all([client.close(), other.close()]);
  });

  it('gets answers from the tiers of its key and of its end user', async () => {
    const question = 'With what are the backups of the server encrypted?';
    const host = await addKeyWithSecret(test, acme);
    const userToken = await addUserToken(test, host);
    const authenticated = await addWidgetKey(test, acme, 'authenticated');
    for (const [credentials, sees] of [
      [{ apiKey }, false],
      [{ apiKey: authenticated }, true],
      [{ userToken }, true],
      [{ userToken, apiKey }, true],
    ] as const) {
      const client = await welcomeWidget(test.url, origin, credentials);
      client.send({ type: 'message', id: 'a', message: question, context });
      await client.next('done', 'a');
      const prompt = ollama.chats.at(-1)?.messages.at(-1)?.content ?? '';
      assert.equal(prompt.includes('passphrase'), sees, Object.keys(credentials).join());
      await client.close();
    }
  });

  it('stops the model when it cancels an answer', async () => {
    ollama.stallAfter = 2;
    const client = await welcomeWidget(test.url, origin, { apiKey });
    client.send({ type: 'message', id: 'a', message, context });
    await client.next('delta', 'a');
    client.send({ type: 'cancel', id: 'a' });
    await ollama.until(() => ollama.aborted === 1);
    const over = await client.until(
      (frame) => (frame.type === 'done' || frame.type === 'error') && frame.id === 'a',
    );
    assert.ok(over.type === 'error' ? over.code === 'cancelled' : over.type === 'done');
    await client.close();
  });

  it('resumes a lost answer after the last event that it received', async () => {
    ollama.stallAfter = 2;
    const lost = await welcomeWidget(test.url, origin, { apiKey });
    lost.send({ type: 'message', id: 'a', message, context });
    const { conversationId, questionId } = await lost.next('started', 'a');
    const seen = await lost.next('delta', 'a');
    lost.socket.terminate();
    await lost.closed;
    const { visitorToken } = lost;
    const back = await welcomeWidget(test.url, origin, { apiKey, visitorToken });
    const after = seen.event;
    back.send({ type: 'resume', id: 'z', conversationId, questionId, after });
    ollama.release();
    const done = await back.next('done', 'z');
    assert.equal(done.response, said);
    const rest = back.frames.flatMap((frame) => (frame.type === 'delta' ? [frame.text] : []));
    const first = lost.frames.flatMap((frame) => (frame.type === 'delta' ? [frame.text] : []));
    assert.equal(first.slice(0, 1).concat(rest).join(''), said);
    await back.close();
  });

  it('receives the stored answer if the answer was complete before it reconnected', async () => {
    const client = await welcomeWidget(test.url, origin, { apiKey });
    client.send({ type: 'message', id: 'a', message, context });
    const { conversationId, questionId } = await client.next('started', 'a');
    const { response, messageId } = await client.next('done', 'a');
    // As after a restart, which knows only what was stored.
    const { visitorToken } = client;
    await client.close();
    const app = await test.openAnother();
    const server = await serve(app);
    const back = await welcomeWidget(server.url, origin, { apiKey, visitorToken });
    back.send({ type: 'resume', id: 'z', conversationId, questionId });
    const done = await back.next('done', 'z');
    assert.deepEqual([done.response, done.messageId], [response, messageId]);
    back.send({ type: 'resume', id: 'y', conversationId, questionId: questionId + 999 });
    assert.equal((await back.next('error', 'y')).code, 'not_found');
    await back.close();
    await server.stop();
    await app.close();
  });

  it('connects again to read on when the database does not answer at the server that waits for an answer of another', async () => {
    ollama.stallAfter = 1;
    const asking = await welcomeWidget(test.url, origin, { apiKey });
    asking.send({ type: 'message', id: 'a', message, context });
    const { conversationId, questionId } = await asking.next('started', 'a');
    // The model waits to be released from then on.
    await asking.next('delta', 'a');
    const claims = () => test.app.db.write('running_answers');
    // As several servers do, and a server alone does not.
    const claim = { question_id: questionId, lease_expires_at: '2999-01-01T00:00:00.000Z' };
    await claims().insert(claim).onConflict('question_id').ignore();
    const app = await test.openAnother();
    const server = await serve(app);
    const { visitorToken } = asking;
    const reading = await welcomeWidget(server.url, origin, { apiKey, visitorToken });
    reading.send({ type: 'resume', id: 'z', conversationId, questionId });
    const watched = claims().whereNotNull('watched_at');
    while ((await watched.clone()).length === 0);
    app.db.write = unanswered();
    if (app.db.aside !== undefined) app.db.aside = unanswered();
    assert.equal((await reading.closed).code, closeCodes.tryAgainLater);
    ollama.release();
    await asking.next('done', 'a');
    await asking.close();
    await server.stop();
    await app.close();
  });

  it('can’t follow an answer of another visitor, even with the right ids', async () => {
    ollama.stallAfter = 1;
    const client = await welcomeWidget(test.url, origin, { apiKey });
    client.send({ type: 'message', id: 'a', message, context });
    const { conversationId, questionId } = await client.next('started', 'a');
    const thief = await welcomeWidget(test.url, origin, { apiKey });
    thief.send({ type: 'resume', id: 'x', conversationId, questionId });
    assert.equal((await thief.next('error', 'x')).code, 'not_found');
    thief.send({ type: 'message', id: 'own', message, context });
    const own = await thief.next('started', 'own');
    // A conversation of one's own does not open the question of another's.
    const mixed = { conversationId: own.conversationId, questionId };
    thief.send({ type: 'resume', id: 'y', ...mixed });
    assert.equal((await thief.next('error', 'y')).code, 'not_found');
    await Promise.all([client.next('delta', 'a'), thief.next('delta', 'own')]);
    ollama.release();
    await Promise.all([client.next('done', 'a'), thief.next('done', 'own')]);
    await Promise.all([client.close(), thief.close()]);
  });

  it('gets its running answer when the server stops, then close code 1001', async () => {
    ollama.stallAfter = 1;
    const [busy, idle] = [
      await welcomeWidget(test.url, origin, { apiKey }),
      await welcomeWidget(test.url, origin, { apiKey }),
    ];
    busy.send({ type: 'message', id: 'a', message, context });
    await busy.next('delta', 'a');
    assert.ok(busy.frames.some((frame) => frame.type === 'waiting' && frame.for === 'model'));
    const stopped = (test as unknown as { server: { stop(): Promise<void> } }).server.stop();
    assert.equal((await idle.closed).code, 1001);
    busy.send({ type: 'message', id: 'b', message, context });
    assert.equal((await busy.next('error', 'b')).code, 'shutting_down');
    await assert.rejects(openWidget(test.url, { origin }));
    ollama.release();
    assert.equal((await busy.next('done', 'a')).response, said);
    assert.equal((await busy.closed).code, 1001);
    await stopped;
  });
});
