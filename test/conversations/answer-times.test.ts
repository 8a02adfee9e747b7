import assert from 'node:assert/strict';
import { deleteConversation } from '../../src/conversations/delete-conversation.js';
import { callApi } from '../support/api-client.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { openEventStream } from '../support/event-reader.js';
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
import { addWidgetKey } from '../support/widget-keys.js';

interface Row {
  id: number;
  role: string;
  status: string;
  first_word_ms: number | null;
  total_ms: number | null;
  model: string | null;
}
interface Listed {
  data: { role: string; made?: object }[];
}

describe('The times of an answer', () => {
  let ollama: OllamaStandIn;
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ada: TestUser;
  let entry: string;
  const message = 'How often is the filter cleaned?';

  const open = async (config: ConfigInput = {}) => {
    test = await serveTestApp({ ...config, ollama: { url: ollama.url, ...config.ollama } });
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'user');
    const content = 'The filter is cleaned every month. Keep it dry.';
    ({ uuid: entry } = await storeEntry(test, acme, { title: 'Filter', content }));
  };
  beforeEach(async () => {
    ollama = await startOllamaStandIn({ answer: () => 'The filter is cleaned every month [1].' });
  });
  afterEach(async () => {
    await test.close();
    await ollama.stop();
  });

  const body = () => ({ message, context: { url: `https://${acme.domain}/`, title: 'Home' } });
  const url = () => `${test.url}/api/conversations/message`;
  const ask = () => callApi<{ conversationId: string }>(url(), { token: ada.token, body: body() });
  const rows = () => test.app.db.read<Row>('messages').orderBy('id').select('*');
  const cited = () =>
    test.app.db.read('message_citations').select('organization_id', 'entry_uuid', 'message_id');

  const wholeMs = (value: number | null | undefined): number => {
    assert.ok(Number.isSafeInteger(value) && Number(value) >= 0, String(value));
    return Number(value);
  };

  it('are stored with a streamed answer: first word, end and model, but not with its question', async () => {
    await open();
    const reader = await openEventStream(url(), { token: ada.token, body: body() });
    await reader.rest();
    const [asked, answer] = await rows();
    assert.deepEqual([asked?.first_word_ms, asked?.total_ms, asked?.model], [null, null, null]);
    assert.ok(wholeMs(answer?.first_word_ms) <= wholeMs(answer?.total_ms));
    assert.equal(answer?.model, test.app.config.ollama.chat_model);
    const { organizationId } = acme.operator;
    assert.deepEqual(await cited(), [
      { organization_id: organizationId, entry_uuid: entry, message_id: answer.id },
    ]);
  });

  it('are stored for an answer over the widget’s WebSocket', async () => {
    await open();
    const apiKey = await addWidgetKey(test, acme, 'public');
    const widget = await welcomeWidget(test.url, `https://${acme.domain}`, { apiKey });
    const page = { url: `https://${acme.domain}/`, title: 'Home' };
    widget.send({ type: 'message', id: 'a', message, context: page });
    await widget.next('done', 'a');
    const answer = (await rows())[1];
    assert.ok(wholeMs(answer?.first_word_ms) <= wholeMs(answer?.total_ms));
    await widget.close();
  });

  it('have no first word for an answer in one piece, and no model for a quoted answer', async () => {
    await open({ answers: { mode: 'extractive' } });
    await ask();
    const answer = (await rows())[1];
    assert.deepEqual([answer?.first_word_ms, answer?.model], [null, null]);
    wholeMs(answer?.total_ms);
  });

  it('are stored for an answer that broke off', async () => {
    ollama.stallAfter = 3;
    await open();
    const reader = await openEventStream(url(), { token: ada.token, body: body() });
    const { data } = await reader.next();
    const { conversationId, questionId } = data as { conversationId: string; questionId: number };
    await reader.until(({ event }) => event === 'delta');
    const path = `/api/conversations/${conversationId}/messages/${questionId}/cancel`;
    await callApi(test.url + path, { method: 'POST', token: ada.token });
    await reader.rest();
    const answer = (await rows())[1];
    assert.equal(answer?.status, 'incomplete');
    assert.ok(wholeMs(answer.first_word_ms) <= wholeMs(answer.total_ms));
    assert.equal(answer.model, test.app.config.ollama.chat_model);
  });

  it('are shown only to staff, and not for answers from before they were measured', async () => {
    await open();
    const { conversationId } = (await ask()).body;
    const madeFor = async ({ token }: TestUser) => {
      const path = `/api/conversations/${conversationId}/messages`;
      const { body } = await callApi<Listed>(test.url + path, { token });
      return body.data.map(({ made }) => made);
    };
    const staff = await addUser(test, acme, 'backoffice');
    assert.deepEqual(await madeFor(ada), [undefined, undefined]);
    const [ofQuestion, made] = await madeFor(staff);
    assert.equal(ofQuestion, undefined);
    assert.deepEqual(Object.keys(made ?? {}), ['first_word_ms', 'total_ms', 'model']);
    await test.app.db.write('messages').update({ total_ms: null });
    assert.deepEqual(await madeFor(staff), [undefined, undefined]);
  });

  it('are deleted with the conversation, together with the citations', async () => {
    await open();
    const { conversationId } = (await ask()).body;
    assert.equal((await cited()).length, 1);
    await deleteConversation(test.app, acme.operator, conversationId);
    assert.deepEqual(await cited(), []);
  });
});
