import assert from 'node:assert/strict';
import { sendMessage } from '../../src/conversations/answering/running-answers.js';
import {
  claimMs,
  insertClaim,
  renewClaims,
} from '../../src/conversations/store/running-answers.repository.js';
import { serve } from '../../src/main/serve.js';
import { startedAnew } from '../support/started-anew.js';
import { callApi } from '../support/api-client.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { createTestClock } from '../support/test-clock.js';
import { welcomeWidget } from '../support/widget-client.js';
import { addWidgetKey } from '../support/widget-keys.js';

interface Shown {
  answering: boolean;
  interrupted: boolean;
}

describe('A question without an answer', () => {
  const clock = createTestClock();
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let admin: TestUser;
  const question = '¿Cuándo se hacen las copias de seguridad del servidor?';

  beforeEach(async () => {
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    admin = await addUser(test, acme, 'admin');
    const content = 'Backups of the server are made every single night.';
    await storeEntry(test, acme, { title: 'Backups', content });
  });
  afterEach(() => test.close());

  const stateOf = async (conversationId: string) => {
    const url = `${test.url}/api/conversations/${conversationId}/messages`;
    const reply = await callApi<{ data: Shown[] }>(url, { token: admin.token });
    const [first] = reply.body.data;
    return [first?.answering, first?.interrupted];
  };

  it('is shown as being answered while its command renews its claim, then as interrupted', async () => {
    const { conversationId, messageId } = await sendMessage(test.app, acme.operator, {
      ...{ message: question, page: undefined, channel: 'cli' },
    });
    assert.deepEqual(await stateOf(conversationId), [false, false]);
    const reply = { id: messageId, role: 'assistant' };
    await test.app.db.write<typeof reply>('messages').where(reply).delete();
    const row = await test.app.db
      .read<{ id: number; conversation_id: string }>('messages')
      .where({ conversation_id: conversationId })
      .first();
    await insertClaim(test.app, row?.id ?? 0, 'operator');
    assert.deepEqual(await stateOf(conversationId), [true, false]);
    clock.advance(claimMs - 1);
    await renewClaims(test.app, [row?.id ?? 0]);
    clock.advance(claimMs - 1);
    assert.deepEqual(await stateOf(conversationId), [true, false], 'it goes on');
    clock.advance(2);
    assert.deepEqual(await stateOf(conversationId), [false, true]);
  });

  it('is shown as interrupted as soon as a killed server has restarted', async () => {
    const context = { url: `https://${acme.domain}/`, title: '' };
    const asked = await callApi<{ conversationId: string; messageId: number }>(
      `${test.url}/api/conversations/message`,
      { token: admin.token, body: { message: question, context } },
    );
    const { conversationId, messageId } = asked.body;
    const answer = await test.app.db
      .read<{ id: number; question_id: number }>('messages')
      .where({ id: messageId })
      .first();
    await test.app.db.write('messages').where({ id: messageId }).delete();
    const server = await serve(startedAnew(test.app));
    const path = `${server.url}/api/conversations/${conversationId}/messages`;
    const shown = await callApi<{ data: Shown[] }>(path, { token: admin.token });
    const told = await callApi(`${path}/${answer?.question_id}/events`, { token: admin.token });
    await server.stop();
    assert.equal(shown.body.data[0]?.interrupted, true);
    assert.deepEqual([told.status, told.body.code], [409, 'interrupted']);
    assert.match(told.body.detail, /Pregunte de nuevo/, 'in the language of the question');
  });
});

describe('A question that is being answered', () => {
  let ollama: OllamaStandIn;
  let test: TestApp;

  afterEach(async () => {
    await test.close();
    await ollama.stop();
  });

  it('holds a claim for a command from storing until its answer is stored or fails', async () => {
    let claimsWhileAsked = 0;
    const claims = () => test.app.db.read('running_answers').select('*');
    ollama = await startOllamaStandIn({ answer: () => 'Every single night [1].' });
    test = await openTestApp({ ollama: { url: ollama.url } });
    const acme = await addOrganization(test);
    const content = 'Backups of the server are made every single night.';
    await storeEntry(test, acme, { title: 'Backups', content });
    const { startAnswer } = await import('../../src/conversations/answering/running-answers.js');
    const ask = (signal?: AbortSignal) =>
      startAnswer(test.app, acme.operator, {
        ...{ message: 'When are backups of the server made?', page: undefined, channel: 'cli' },
        ...(signal === undefined ? {} : { signal }),
      });
    const running = await ask();
    claimsWhileAsked = (await claims()).length;
    await running.result;
    assert.equal(claimsWhileAsked, 1);
    assert.deepEqual(await claims(), []);
    await assert.rejects((await ask(AbortSignal.abort())).result, { code: 'cancelled' });
    assert.deepEqual(await claims(), []);
  });

  it('is stored once, beside others that are asked and answered at the same time', async () => {
    ollama = await startOllamaStandIn({ answer: () => 'Every single night [1].' });
    test = await openTestApp({ ollama: { url: ollama.url, concurrency: 8 } });
    const acme = await addOrganization(test);
    const content = 'Backups of the server are made every single night.';
    await storeEntry(test, acme, { title: 'Backups', content });
    const { dialect } = test.app.db;
    let repeated = 0;
    test.app.db.dialect = {
      ...dialect,
      mustRepeat(error) {
        const isRepeated = dialect.mustRepeat(error);
        if (isRepeated) repeated += 1;
        return isRepeated;
      },
    };
    const message = 'When are backups of the server made?';
    const ask = () =>
      sendMessage(test.app, acme.operator, { message, page: undefined, channel: 'cli' });
    const answers = await Promise.all(Array.from({ length: 16 }, ask));
    assert.ok(answers.every(({ answer }) => answer.mode === 'ollama'));
    assert.equal(repeated, 0);
  });

  it('is reported to its widget as interrupted on resuming if no process answers it', async () => {
    ollama = await startOllamaStandIn({ answer: () => 'Every single night [1].' });
    const served = await serveTestApp({ ollama: { url: ollama.url } });
    test = served;
    const acme = await addOrganization(test);
    const apiKey = await addWidgetKey(test, acme, 'public');
    const origin = `https://${acme.domain}`;
    const client = await welcomeWidget(served.url, origin, { apiKey });
    const context = { url: `${origin}/`, title: '' };
    client.send({ type: 'message', id: 'a', message: 'When are backups made?', context });
    const { conversationId, questionId } = await client.next('started', 'a');
    await client.next('done', 'a');
    await client.close();
    await test.app.db.write('messages').where({ question_id: questionId }).delete();
    const server = await serve(startedAnew(test.app));
    const { visitorToken } = client;
    const back = await welcomeWidget(server.url, origin, { apiKey, visitorToken });
    back.send({ type: 'resume', id: 'b', conversationId, questionId });
    assert.equal((await back.next('error', 'b')).code, 'interrupted');
    await back.close();
    await server.stop();
  });
});
