import assert from 'node:assert/strict';
import type { AnswerEvent } from '../../src/conversations/answering/make-answer.js';
import { startedAnew } from '../support/started-anew.js';
import { callApi } from '../support/api-client.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { openEventStream, type EventReader } from '../support/event-reader.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type ConfigInput,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { welcomeWidget } from '../support/widget-client.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';
import type { RunningServer } from '../../src/main/serve.js';
import { link } from '../support/accounts.js';

interface Reply {
  response: string;
  conversationId: string;
  messageId: number;
  sources: { title: string; number: number }[];
  status: string;
  mode: string;
  found: boolean;
  unsupported: { from: number; to: number }[];
}
interface Listed {
  data: { id: number; role: string; content: string; status: string; answering: boolean }[];
}

describe('A streamed answer', () => {
  let ollama: OllamaStandIn;
  let test: TestApp & { url: string; server: RunningServer };
  let acme: TestOrganization;
  let ada: TestUser;
  let readers: EventReader[];
  const message = 'How often is the filter cleaned?';
  const text = 'The filter is cleaned every month [1].';

  const open = async (config: ConfigInput = {}) => {
    test = await serveTestApp({ ...config, ollama: { url: ollama.url, ...config.ollama } });
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'user');
    const content = 'The filter is cleaned every month. Keep it dry.';
    await storeEntry(test, acme, { title: 'Filter', content });
  };
  const body = (rest: object = {}) => ({
    message,
    context: { url: 'https://acme.example/', title: 'Home' },
    ...rest,
  });
  const stream = async (rest: object = {}) => {
    const reader = await openEventStream(`${test.url}/api/conversations/message`, {
      token: ada.token,
      body: body(rest),
    });
    readers.push(reader);
    return reader;
  };
  const resume = async ({ conversationId, questionId }: Started, lastEventId?: number) => {
    const reader = await openEventStream(
      `${test.url}/api/conversations/${conversationId}/messages/${questionId}/events`,
      { token: ada.token, ...(lastEventId === undefined ? {} : { lastEventId }) },
    );
    readers.push(reader);
    return reader;
  };
  type Started = Extract<AnswerEvent, { type: 'started' }>;
  const startedOf = async (reader: EventReader) => {
    const { event, data } = await reader.next();
    assert.equal(event, 'started');
    return data as Started;
  };
  const joined = (events: { event: string; data: unknown }[]) =>
    events
      .flatMap(({ event, data }) => (event === 'delta' ? [(data as { text: string }).text] : []))
      .join('');
  const listed = async ({ conversationId }: { conversationId: string }) => {
    const path = `/api/conversations/${conversationId}/messages`;
    return (await callApi<Listed>(test.url + path, { token: ada.token })).body.data;
  };
  const cancel = ({ conversationId, questionId }: Started, token = ada.token) =>
    callApi(`${test.url}/api/conversations/${conversationId}/messages/${questionId}/cancel`, {
      method: 'POST',
      token,
    });

  beforeEach(async () => {
    readers = [];
    ollama = await startOllamaStandIn({ answer: () => text });
  });
  afterEach(async () => {
    readers.forEach((reader) => reader.leave());
    await test.close();
    await ollama.stop();
  });

  it('is refused if its asker waits for the allowed number of answers, until one of them ends', async () => {
    ollama.stallAfter = 3;
    await open({ limits: { answers_at_once: 1 } });
    const ask = (token: string) =>
      callApi(`${test.url}/api/conversations/message`, { token, body: body() });
    const first = await stream();
    const started = await startedOf(first);
    await first.until(({ event }) => event === 'delta');
    const refused = await ask(ada.token);
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.equal(refused.headers.get('retry-after'), '1');
    const bob = await addUser(test, acme, 'backoffice');
    const url = `${test.url}/api/conversations/message`;
    const other = await openEventStream(url, { token: bob.token, body: body() });
    readers.push(other);
    await startedOf(other);
    await cancel(started);
    await first.rest();
    await startedOf(await stream());
  });

  it('arrives in pieces that form the stored text, and ends with the fields of a plain reply', async () => {
    await open();
    const reader = await stream();
    assert.equal(reader.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(reader.headers.get('x-accel-buffering'), 'no');
    assert.match(reader.headers.get('cache-control') ?? '', /no-transform/);
    const events = await reader.rest();
    const names = events.map(({ event }) => event);
    assert.deepEqual(names.slice(0, 2), ['started', 'waiting']);
    assert.ok(names.filter((name) => name === 'delta').length > 3, names.join());
    assert.equal(names.at(-1), 'done');
    assert.deepEqual(
      events.map(({ id }) => id),
      events.map((_, index) => index + 1),
    );
    const done = events.at(-1)?.data as Reply;
    assert.equal(joined(events), done.response);
    assert.equal(done.response, text);
    const [question, answer] = await listed(done);
    assert.equal(answer?.content, text);
    assert.equal(question?.answering, false);
    const plain = await callApi<Reply>(`${test.url}/api/conversations/message`, {
      token: ada.token,
      body: body(),
    });
    assert.deepEqual(Object.keys(done).sort(), Object.keys(plain.body).sort());
    assert.deepEqual(done.sources, plain.body.sources);
  });

  it('keeps multi-byte characters intact, wherever the network cuts them', async () => {
    ollama.answer = () => 'Größe: 日本語 😀 — jeden Monat [1].';
    ollama.writeBytes = 1;
    await open();
    const events = await (await stream()).rest();
    assert.equal(joined(events), 'Größe: 日本語 😀 — jeden Monat [1].');
  });

  it('is quoted if the model fails before its first word', async () => {
    for (const failure of [
      { refuse: { status: 500, reason: 'out of memory' } },
      { errorAfter: 0 },
      { endAfter: 0 },
      { resetAfter: 0 },
    ]) {
      await ollama.stop();
      ollama = await startOllamaStandIn(failure);
      await open();
      const events = await (await stream()).rest();
      const done = events.at(-1)?.data as Reply;
      assert.deepEqual(
        [done.mode, done.status],
        ['extractive', 'complete'],
        JSON.stringify(failure),
      );
      assert.equal(joined(events), done.response);
      if (!('resetAfter' in failure)) await test.close();
    }
  });

  it('ends with an error if the model breaks off, and keeps the text as incomplete', async () => {
    for (const failure of [{ errorAfter: 4 }, { endAfter: 4 }, { resetAfter: 4 }]) {
      await ollama.stop();
      ollama = await startOllamaStandIn({ answer: () => text, ...failure });
      await open();
      const reader = await stream();
      const started = await startedOf(reader);
      const events = await reader.rest();
      const last = events.at(-1);
      const { code, message, partial } = last?.data as {
        code: string;
        message: string;
        partial: Reply;
      };
      assert.deepEqual([last?.event, code], ['error', 'model_unavailable']);
      assert.ok(message.length > 20);
      assert.equal(joined(events), 'The filter is cleaned');
      assert.deepEqual([partial.response, partial.status], ['The filter is cleaned', 'incomplete']);
      const [, answer] = await listed(started);
      assert.deepEqual([answer?.content, answer?.status], ['The filter is cleaned', 'incomplete']);
      const usage = await test.app.db.read<{ units: number }>('usage_events').select('units');
      assert.equal(usage.length, 1);
      assert.ok((usage[0]?.units ?? 0) > 100, 'what it read is paid for');
      if (!('resetAfter' in failure)) await test.close();
    }
  });

  it('is refused with a problem document before it begins', async () => {
    await open();
    const call = (rest: object, token?: string) =>
      callApi(`${test.url}/api/conversations/message`, {
        ...(token === undefined ? {} : { token }),
        body: body(rest),
        headers: { Accept: 'text/event-stream' },
      });
    const nobody = await call({});
    const empty = await call({ message: '  ' }, ada.token);
    const missing = await call({ conversationId: 'none' }, ada.token);
    assert.deepEqual(
      [nobody, empty, missing].map(({ status, body }) => [status, body.code]),
      [
        [401, 'unauthenticated'],
        [400, 'invalid_request'],
        [404, 'not_found'],
      ],
    );
  });

  it('ends with an error if only the model may answer and is down, and names its address only to staff', async () => {
    await open({ answers: { mode: 'ollama' }, ollama: { url: 'http://127.0.0.1:9' } });
    const staff = await addUser(test, acme, 'backoffice');
    const content = 'Der Filter wird jeden Monat gereinigt.';
    await storeEntry(test, acme, { title: 'Wie der Filter gereinigt wird', content });
    for (const [token, sentence] of [
      [ada.token, /^Der Assistent kann gerade nicht antworten\. [^:/]*$/],
      [staff.token, /127\.0\.0\.1:9/],
    ] as const) {
      const asked = body({ message: 'Wie oft wird der Filter gereinigt?' });
      const url = `${test.url}/api/conversations/message`;
      const reader = await openEventStream(url, { token, body: asked });
      const { code, message } = (await reader.rest()).at(-1)?.data as Record<string, string>;
      assert.equal(code, 'model_unavailable');
      assert.match(message ?? '', sentence);
      const plain = await callApi<{ code: string; detail: string }>(url, { token, body: asked });
      assert.deepEqual([plain.status, plain.body.code], [503, 'model_unavailable']);
      assert.match(plain.body.detail, sentence);
    }
    assert.deepEqual(await test.app.db.read('usage_events').select('*'), []);
  });

  it('hides the model server’s error text from everybody but staff when it breaks off', async () => {
    const errorMessage = 'open /srv/ollama/models/blobs/sha256-1: input/output error';
    await ollama.stop();
    ollama = await startOllamaStandIn({ answer: () => text, errorAfter: 4, errorMessage });
    await open();
    const last = (await (await stream()).rest()).at(-1);
    const { code, message } = last?.data as { code: string; message: string };
    const told = [last?.event, code, message];
    assert.deepEqual(told, ['error', 'model_unavailable', 'The answer broke off. Ask again.']);
    const { token } = await addUser(test, acme, 'admin');
    const url = `${test.url}/api/conversations/message`;
    const reader = await openEventStream(url, { token, body: body() });
    assert.match(JSON.stringify((await reader.rest()).at(-1)?.data), /input\/output error/);
  });

  it('is cancelled when the server’s drain time ends, early enough to inform streaming and plain readers', async () => {
    ollama.stallAfter = 3;
    await open({ server: { drain_timeout_ms: 1500 } });
    const reader = await stream();
    await reader.until(({ event }) => event === 'delta');
    const plain = callApi<{ code: string; detail: string }>(
      `${test.url}/api/conversations/message`,
      {
        ...{ token: ada.token, body: body() },
      },
    );
    await ollama.until(() => ollama.running === 2);
    await test.server.stop();
    const last = (await reader.rest()).at(-1);
    assert.deepEqual([last?.event, (last?.data as Reply).status], ['done', 'incomplete']);
    assert.deepEqual([(await plain).status, (await plain).body.code], [409, 'cancelled']);
  });

  it('is stopped at the model when it is cancelled, and the text so far is stored and paid for', async () => {
    ollama.stallAfter = 3;
    await open();
    const reader = await stream();
    const started = await startedOf(reader);
    await reader.until(({ event }) => event === 'delta');
    assert.equal((await listed(started))[0]?.answering, true);
    const stranger = await addUser(test, acme, 'backoffice');
    assert.equal((await cancel(started, stranger.token)).status, 404);
    assert.equal((await cancel(started)).status, 204);
    await ollama.until(() => ollama.aborted === 1);
    const events = await reader.rest();
    const done = events.at(-1)?.data as Reply;
    assert.deepEqual([events.at(-1)?.event, done.status], ['done', 'incomplete']);
    const [, answer] = await listed(started);
    assert.deepEqual([answer?.content, answer?.status], [done.response, 'incomplete']);
    assert.equal((await test.app.db.read('usage_events').select('*')).length, 1);
    assert.equal((await cancel(started)).status, 204, 'again it changes nothing');
  });

  it('leaves only the question if it is cancelled before its first word', async () => {
    ollama.stallAfter = 0;
    await open();
    const reader = await stream();
    const started = await startedOf(reader);
    await ollama.until(() => ollama.running === 1);
    await cancel(started);
    const last = (await reader.rest()).at(-1);
    assert.deepEqual([last?.event, (last?.data as { code: string }).code], ['error', 'cancelled']);
    assert.deepEqual(
      (await listed(started)).map(({ role }) => role),
      ['user'],
    );
    const paid: { units: number; message_id: number }[] = await test.app.db
      .read('usage_events')
      .select('units', 'message_id');
    assert.deepEqual(
      paid.map(({ message_id }) => message_id),
      [started.questionId],
      'what the model has read is paid for, once',
    );
    assert.ok((paid[0]?.units ?? 0) > 100);
  });

  it('is paid for up to the moment at which the caller of a plain reply left', async () => {
    ollama.stallAfter = 3;
    await open();
    const gone = new AbortController();
    const asking = fetch(`${test.url}/api/conversations/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body()),
      signal: gone.signal,
    });
    await ollama.until(() => ollama.running === 1);
    gone.abort();
    await assert.rejects(asking);
    await ollama.until(() => ollama.aborted === 1);
    await test.server.stop();
    const paid: { units: number; message_id: number }[] = await test.app.db
      .read('usage_events')
      .select('units', 'message_id');
    assert.equal(paid.length, 1);
    assert.ok((paid[0]?.units ?? 0) > 100);
  });

  it('waits for a reader whose connection was lost, and repeats every missed event', async () => {
    ollama.stallAfter = 3;
    await open();
    const reader = await stream();
    const started = await startedOf(reader);
    const seen = await reader.until(({ event }) => event === 'delta');
    reader.leave();
    const again = await resume(started, seen.at(-1)?.id);
    ollama.stallAfter = undefined;
    ollama.release();
    const rest = await again.rest();
    assert.equal(joined([...seen, ...rest]), text);
    assert.equal(rest.at(-1)?.event, 'done');
    assert.equal(ollama.aborted, 0);
    const late = await (await resume(started)).rest();
    assert.deepEqual(
      late.map(({ event }) => event),
      ['done'],
    );
    assert.deepEqual(late[0]?.data, rest.at(-1)?.data);
  });

  it('can have several readers at a time', async () => {
    ollama.stallAfter = 2;
    await open();
    const reader = await stream();
    const started = await startedOf(reader);
    await reader.until(({ event }) => event === 'delta');
    const second = await resume(started);
    await second.until(({ event }) => event === 'delta');
    ollama.stallAfter = undefined;
    ollama.release();
    const [one, two] = await Promise.all([reader.rest(), second.rest()]);
    assert.deepEqual(one.at(-1), two.at(-1));
    assert.equal(one.at(-1)?.event, 'done');
  });

  it('is cancelled and stored as incomplete if no reader returns in time', async () => {
    ollama.stallAfter = 3;
    await open({ answers: { resume_window_ms: 20 } });
    const reader = await stream();
    const started = await startedOf(reader);
    await reader.until(({ event }) => event === 'delta');
    reader.leave();
    await ollama.until(() => ollama.aborted === 1);
    const last = (await (await resume(started, 1)).rest()).at(-1);
    assert.deepEqual([last?.event, (last?.data as Reply).status], ['done', 'incomplete']);
  });

  it('is found by its question after a restart, or reported as interrupted', async () => {
    await open();
    const reader = await stream();
    const started = await startedOf(reader);
    const done = (await reader.rest()).at(-1);
    const url = `${test.url}/api/conversations/${started.conversationId}/messages`;
    // A process that knows nothing of it: its registry is another one.
    const { serve } = await import('../../src/main/serve.js');
    const other = await serve(startedAnew(test.app));
    try {
      const path = `${other.url}/api/conversations/${started.conversationId}/messages`;
      const late = await openEventStream(`${path}/${started.questionId}/events`, {
        ...{ token: ada.token, lastEventId: 3 },
      });
      assert.deepEqual(
        (await late.rest()).map(({ event, data }) => [event, data]),
        [['done', done?.data]],
      );
      await test.app.db.write<{ role: string }>('messages').where({ role: 'assistant' }).delete();
      const lost = await callApi(`${path}/${started.questionId}/events`, { token: ada.token });
      assert.deepEqual([lost.status, lost.body.code], [409, 'interrupted']);
    } finally {
      await other.stop();
    }
    const bob = await addUser(test, acme, 'admin');
    const foreign = await callApi(`${url}/${started.questionId}/events`, { token: bob.token });
    assert.equal(foreign.status, 404, 'staff read conversations, and take no part in them');
  });

  it('shows the same person under another credential only the stored end', async () => {
    ollama.stallAfter = 3;
    await open();
    const pair = await addKeyWithSecret(test, acme);
    const userToken = await addUserToken(test, pair, { externalId: 'ada-of-the-host' });
    const origin = `https://${acme.domain}`;
    await link(test, ada, { widgetKey: pair.key.key, token: userToken, origin });
    const apiKey = pair.key.key;
    const client = await welcomeWidget(test.url, origin, { apiKey, userToken });
    client.send({ type: 'message', id: 'a', message, context: { url: `${origin}/`, title: '' } });
    const { conversationId, questionId } = await client.next('started', 'a');
    const path = `${test.url}/api/conversations/${conversationId}/messages/${questionId}/events`;
    const [reader, left] = await Promise.all([
      openEventStream(path, { token: ada.token, lastEventId: 1 }),
      openEventStream(path, { token: ada.token }),
    ]);
    left.leave();
    // It may not have come to its stop yet.
    ollama.stallAfter = undefined;
    ollama.release();
    const { response } = await client.next('done', 'a');
    const told = (await reader.rest()).map(({ id, event, data }) => [id, event, data]);
    assert.deepEqual(
      told.map(([id, event, data]) => [Number(id), event, (data as Reply).response]),
      [[2, 'done', response]],
    );
    await client.close();
  });

  it('is completed by a stopping server, with or without a reader', async () => {
    ollama.stallAfter = 3;
    await open();
    const reader = await stream();
    const started = await startedOf(reader);
    await reader.until(({ event }) => event === 'delta');
    const left = await stream({ message: 'How often is the filter cleaned, really?' });
    await left.until(({ event }) => event === 'delta');
    left.leave();
    const stopping = test.server.stop();
    ollama.stallAfter = undefined;
    ollama.release();
    assert.equal((await reader.rest()).at(-1)?.event, 'done');
    await stopping;
    const rows = await test.app.db
      .read<{ status: string; content: string; role: string }>('messages')
      .where({ role: 'assistant' })
      .select('*');
    assert.deepEqual(
      rows.map(({ status, content }) => [status, content]),
      [
        ['complete', text],
        ['complete', text],
      ],
    );
    assert.ok(started.questionId > 0);
  });

  it('gets the matching citation if the model cites nothing, or the knowledge itself if none matches', async () => {
    await open();
    ollama.answer = () => 'The filter is cleaned every month.';
    const borne = (await (await stream()).rest()).at(-1)?.data as Reply;
    assert.equal(borne.response, 'The filter is cleaned every month. [1]');
    assert.deepEqual([borne.mode, borne.sources.length, borne.unsupported], ['ollama', 1, []]);

    ollama.answer = () => 'The filter is cleaned by elephants on 31 December.';
    const events = await (await stream()).rest();
    const doubtful = events.at(-1)?.data as Reply;
    assert.equal(joined(events), doubtful.response);
    assert.match(
      doubtful.response,
      /^The filter is cleaned by elephants on 31 December\.\n\nThe filter is cleaned every month\. \[1\]/,
    );
    assert.deepEqual(doubtful.unsupported, [{ from: 0, to: 50 }]);
    assert.equal(doubtful.sources[0]?.title, 'Filter');
    const metrics = await (await fetch(`${test.url}/metrics`)).text();
    assert.match(metrics, /assistant_unsupported_sentences_total\{language="en"\} 1\n/);
  });

  it('is quoted if the model returns only thoughts, a lone citation or nothing', async () => {
    await open();
    for (const text of [`<think>${' hmm'.repeat(10_000)}`, '[1]', '']) {
      ollama.answer = () => text;
      const events = await (await stream()).rest();
      const done = events.at(-1)?.data as Reply;
      assert.deepEqual([done.mode, done.status, done.found], ['extractive', 'complete', true]);
      assert.match(done.response, /The filter is cleaned every month/);
      assert.equal(joined(events), done.response);
    }
  });

  it('ends with an error if only the model may answer and its answer is not supported', async () => {
    await open({ answers: { mode: 'ollama' } });
    ollama.answer = () => 'The filter is cleaned by elephants on 31 December.';
    const last = (await (await stream()).rest()).at(-1);
    const { code, message } = last?.data as { code: string; message: string };
    assert.deepEqual([last?.event, code], ['error', 'model_unavailable']);
    assert.match(message, /broke off/, 'who only asks is told no more');
    const [stored] = await test.app.db
      .read<{ role: string; content: string; status: string }>('messages')
      .where({ role: 'assistant' })
      .select('content', 'status');
    assert.deepEqual(stored, {
      content: 'The filter is cleaned by elephants on 31 December.',
      status: 'incomplete',
    });
  });

  it('says in one sentence that nothing was found, without the model’s marker', async () => {
    await open();
    ollama.answer = () => 'NOT_FOUND';
    const events = await (await stream()).rest();
    const done = events.at(-1)?.data as Reply;
    assert.deepEqual([done.found, done.sources], [false, []]);
    assert.equal(joined(events), done.response);
    assert.ok(!JSON.stringify(events).includes('NOT_FOUND'));
  });
});
