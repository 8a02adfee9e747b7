import assert from 'node:assert/strict';
import { sendMessage } from '../../src/conversations/answering/running-answers.js';
import type { Channel } from '../../src/usage/payer.js';
import { callApi } from '../support/api-client.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
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

describe('A message', () => {
  let ollama: OllamaStandIn;
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ada: TestUser;
  const personal = 'ada@private.example';
  const message = `I am ${personal}, 4111 1111 1111 1111: how often is the filter cleaned?`;
  const encoded = encodeURIComponent(personal);
  const url = `https://acme.example/?mail=${personal}&copy=${encoded}`;
  const page = { url, title: `Inbox of ${personal}` };

  const open = async (config: ConfigInput = {}) => {
    test = await serveTestApp({ ...config, ollama: { url: ollama.url, ...config.ollama } });
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'user');
    const content = 'The filter is cleaned every month.';
    await storeEntry(test, acme, { title: 'Filter', content });
  };
  const send = (body: object = {}) =>
    callApi<{ conversationId: string; mode: string }>(`${test.url}/api/conversations/message`, {
      token: ada.token,
      body: { message, context: page, ...body },
    });
  const stored = async () =>
    JSON.stringify([
      await test.app.db.read('conversations').select('*'),
      await test.app.db.read('messages').select('*'),
    ]);
  const actor = () => ({
    kind: 'user' as const,
    organizationId: acme.operator.organizationId,
    userId: ada.id,
    role: 'user' as const,
  });

  beforeEach(async () => {
    ollama = await startOllamaStandIn({ answer: () => 'Every month [1].' });
  });
  afterEach(async () => {
    await test.close();
    await ollama.stop();
  });

  it('is masked before it is stored and before the model reads it', async () => {
    await open();
    const { conversationId, mode } = (await send()).body;
    await send({
      conversationId,
      message: `And for ${personal}, is the filter cleaned?`,
    });
    assert.equal(mode, 'ollama');
    assert.equal(ollama.chats.length, 2);
    const sent = JSON.stringify(ollama.requests);
    for (const text of [await stored(), sent]) {
      for (const one of [personal, encoded]) assert.ok(!text.includes(one), text);
      // Not the digits alone: a random id may hold them.
      assert.doesNotMatch(text, /4111\W+1111/);
      assert.ok(text.includes('[email]') && text.includes('[card]'));
    }
    assert.ok(sent.includes('Inbox of [email]'), 'the page too');
  });

  it('is not masked if the operator turned masking off', async () => {
    await open({ privacy: { mask_personal_data: false } });
    await send({ message: 'How often is the filter cleaned?' });
    assert.ok((await stored()).includes(personal));
    assert.ok(JSON.stringify(ollama.chats).includes(personal));
  });

  it('is answered as if it did not contain the masked words', async () => {
    await open();
    const many = `${personal} 4111 1111 1111 1111 DE89 3704 0044 0532 0130 00`;
    const { mode } = (await send({ message: `How often is the filter cleaned? ${many}` })).body;
    assert.equal(mode, 'ollama');
    assert.match(JSON.stringify(ollama.chats), /\[email\] \[card\] \[iban\]/);
  });

  it('is sent to the model after the earlier messages', async () => {
    await open();
    const first = 'How often is the filter cleaned?';
    const { conversationId } = (await send({ message: first })).body;
    await send({ conversationId, message: 'Is the filter cleaned in winter?' });
    const turns = ollama.chats[1]?.messages.slice(1, -1);
    assert.deepEqual(turns, [
      { role: 'user', content: first },
      { role: 'assistant', content: 'Every month [1].' },
    ]);
  });

  it('is stored when the model fails, and costs nothing', async () => {
    await open({ answers: { mode: 'ollama' } });
    ollama.refuse = { status: 500, reason: 'model runner has unexpectedly stopped' };
    const { status, body } = await send({ message: 'How often is the filter cleaned?' });
    assert.deepEqual(
      [status, (body as object as { code: string }).code],
      [503, 'model_unavailable'],
    );
    const rows = await test.app.db.read<{ role: string; content: string }>('messages').select('*');
    assert.deepEqual(
      rows.map(({ role, content }) => [role, content]),
      [['user', 'How often is the filter cleaned?']],
    );
    assert.deepEqual(await test.app.db.read('usage_events').select('*'), []);

    ollama.refuse = undefined;
    const [row] = await test.app.db.read<{ id: string }>('conversations').select('id');
    const again = await send({
      conversationId: row?.id,
      message: 'How often is the filter cleaned?',
    });
    assert.equal(again.status, 200);
  });

  it('costs the model’s tokens, which the channel’s payer pays', async () => {
    await open();
    const ask = async (channel: Channel, as: 'user' | 'operator') => {
      const input = { message: 'How often is the filter cleaned?', page: undefined, channel };
      const { answer, messageId } = await sendMessage(
        test.app,
        as === 'user' ? actor() : acme.operator,
        input,
      );
      const event = await test.app.db
        .read<Record<string, unknown>>('usage_events')
        .where({ message_id: messageId })
        .first();
      assert.ok(answer.units > 100);
      assert.equal(event?.['units'], answer.units);
      return [event['payer_organization_id'], event['payer_user_id']];
    };
    const { organizationId } = acme.operator;
    assert.deepEqual(await ask('api', 'user'), [null, ada.id]);
    assert.deepEqual(await ask('extension', 'user'), [null, ada.id]);
    assert.deepEqual(await ask('widget', 'user'), [organizationId, null]);
    assert.deepEqual(await ask('cli', 'operator'), [organizationId, null]);
  });
});
