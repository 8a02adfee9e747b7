import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { serve, type RunningServer } from '../../src/main/serve.js';
import { asOtherServer } from '../support/other-server.js';
import { callApi } from '../support/api-client.js';
import { openEventStream } from '../support/event-reader.js';
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
  id: number;
  role: string;
  answering: boolean;
  interrupted: boolean;
}

describe('A question whose server may have died', () => {
  const clock = createTestClock();
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ada: TestUser;
  let other: ChildProcess;

  beforeEach(async () => {
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'user');
    const content = 'Backups of the server are made every single night.';
    await storeEntry(test, acme, { title: 'Backups', content });
    other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(other, 'spawn');
  });
  afterEach(async () => {
    if (other.exitCode === null && other.signalCode === null) await kill();
    await test.close();
  });

  const kill = async () => {
    const gone = once(other, 'exit');
    other.kill('SIGKILL');
    await gone;
  };
  /** A question as a process leaves it while it makes the answer. */
  const leave = async (holder: string, leaseMs = 30_000) => {
    const body = {
      message: '¿Cuándo se hacen las copias de seguridad del servidor?',
      context: { url: `https://${acme.domain}/`, title: '' },
    };
    const url = `${test.url}/api/conversations`;
    const reply = await callApi<{ conversationId: string; messageId: number }>(`${url}/message`, {
      ...{ token: ada.token, body },
    });
    const { conversationId, messageId } = reply.body;
    const [question] = (await read(conversationId)).filter(({ role }) => role === 'user');
    const questionId = question?.id ?? 0;
    const row = await test.app.db.read<object>('messages').where({ id: messageId }).first();
    await test.app.db.write('messages').where({ id: messageId }).delete();
    await test.app.db.write('running_answers').insert({
      ...{ question_id: questionId, holder },
      lease_expires_at: new Date(clock.now().getTime() + leaseMs).toISOString(),
    });
    const finish = () => test.app.db.write('messages').insert(row ?? {});
    return { conversationId, questionId, finish };
  };
  const read = async (id: string) => {
    const url = `${test.url}/api/conversations/${id}/messages`;
    return (await callApi<{ data: Shown[] }>(url, { token: ada.token })).body.data;
  };
  /** As a server that was started anew. */
  const anew = async <T>(use: (server: RunningServer) => Promise<T>): Promise<T> => {
    const server = await serve(asOtherServer(test.app));
    try {
      return await use(server);
    } finally {
      await server.stop();
    }
  };
  const stateOf = async (id: string) => {
    const [question] = await read(id);
    return [question?.answering, question?.interrupted];
  };
  const holderOf = () => `${hostname()} ${other.pid} a-token`;

  it('is being answered while that process lives, and interrupted as soon as it was killed', async () => {
    const { conversationId, questionId } = await leave(holderOf());
    assert.deepEqual(await stateOf(conversationId), [true, false]);
    await kill();
    assert.deepEqual(await stateOf(conversationId), [false, true]);
    await anew(async ({ url }) => {
      const path = `${url}/api/conversations/${conversationId}/messages/${questionId}/events`;
      const told = await callApi(path, { token: ada.token });
      assert.deepEqual([told.status, told.body.code], [409, 'interrupted']);
      assert.match(told.body.detail, /Pregunte de nuevo/, 'in the language of the question');
    });
  });

  it('is interrupted when a process of another machine lets its lease run out', async () => {
    const { conversationId } = await leave('elsewhere 1 a-token');
    assert.deepEqual(await stateOf(conversationId), [true, false]);
    clock.advance(30_001);
    assert.deepEqual(await stateOf(conversationId), [false, true]);
  });

  it('is told to be interrupted where the server came back under the number of the process before', async () => {
    const { conversationId } = await leave(`${hostname()} ${process.pid} a-token`);
    assert.deepEqual(await stateOf(conversationId), [false, true]);
  });

  it('leads whoever resumes on another server to the answer, once it is stored there', async () => {
    const { conversationId, questionId, finish } = await leave(holderOf());
    await anew(async ({ url }) => {
      const path = `${url}/api/conversations/${conversationId}/messages/${questionId}/events`;
      const reader = await openEventStream(path, { token: ada.token, lastEventId: 3 });
      await finish();
      const events = await reader.rest();
      assert.deepEqual(
        events.map(({ event }) => event),
        ['done'],
      );
    });
    assert.deepEqual(await stateOf(conversationId), [false, false]);
  });

  it('tells whoever resumes on another server when that process dies', async () => {
    const { conversationId, questionId } = await leave(holderOf());
    await anew(async ({ url }) => {
      const path = `${url}/api/conversations/${conversationId}/messages/${questionId}/events`;
      const reader = await openEventStream(path, { token: ada.token });
      await kill();
      const [end] = await reader.rest();
      assert.equal(end?.event, 'error');
      assert.equal((end.data as { code: string }).code, 'interrupted');
    });
  });
});

describe('A question that is answered', () => {
  let ollama: OllamaStandIn;
  let test: TestApp;

  afterEach(async () => {
    await test.close();
    await ollama.stop();
  });

  it('is claimed from its storing on, and by nobody any more once its answer is stored or has failed', async () => {
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

  it('is told to its widget as interrupted on resuming, where nothing answers it', async () => {
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
    const server = await serve(asOtherServer(test.app));
    const { visitorToken } = client;
    const back = await welcomeWidget(server.url, origin, { apiKey, visitorToken });
    back.send({ type: 'resume', id: 'b', conversationId, questionId });
    assert.equal((await back.next('error', 'b')).code, 'interrupted');
    await back.close();
    await server.stop();
  });
});
