import assert from 'node:assert/strict';
import { addAccount, link } from '../support/accounts.js';
import { callApi } from '../support/api-client.js';
import { openEventStream } from '../support/event-reader.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import { addOrganization, serveTestApp } from '../support/test-app.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';

describe('A model’s answer to staff with a linked account', () => {
  const origin = 'https://acme.example';
  const secret = /zebra-quartz/;

  it('is withheld in the widget if it uses internal knowledge', async () => {
    const ollama = await startOllamaStandIn({
      answer: () => 'The pump of the vault is oiled every month [1]. Its word is zebra-quartz.',
      stallAfter: 2,
    });
    const test = await serveTestApp({
      ollama: { url: ollama.url },
      widget: { allow_localhost: true },
    });
    try {
      const acme = await addOrganization(test);
      const pair = await addKeyWithSecret(test, acme);
      const pump = 'The pump of the vault is oiled every month.';
      await storeEntry(test, acme, { title: 'Pump of the vault', content: pump });
      const content = 'Each month the word of the pump of the vault is zebra-quartz.';
      await storeEntry(test, acme, { title: 'Vault', content, visibility: 'internal' });
      const account = await addAccount(test, acme, 'Ada', 'backoffice');
      const userToken = await addUserToken(test, pair);
      await link(test, account, { widgetKey: pair.key.key, token: userToken });
      const message = 'How often is the pump of the vault oiled?';
      const asked = await openEventStream(`${test.url}/api/conversations/message`, {
        token: account.token,
        body: { message, context: { url: `${origin}/`, title: '' } },
      });
      const [started] = await asked.until(({ event }) => event === 'started');
      const { conversationId, questionId } = started?.data as {
        conversationId: string;
        questionId: number;
      };
      await asked.until(({ event }) => event === 'delta');
      const path = `${test.url}/widget/conversations/${conversationId}/messages`;
      const watching = await openEventStream(`${path}/${questionId}/events`, {
        ...{ token: userToken, headers: { Origin: origin } },
      });
      const rest = watching.rest();
      ollama.release();
      assert.match(JSON.stringify(await asked.rest()), secret);
      const shown = await rest;
      assert.deepEqual(
        shown.map(({ event, data }) => [event, (data as { withheld: boolean }).withheld]),
        [['done', true]],
      );
      assert.doesNotMatch(JSON.stringify(shown), secret);
      const headers = { Origin: origin };
      const read = await callApi<{ data: unknown[] }>(path, { token: userToken, headers });
      assert.equal(read.body.data.length, 2);
      assert.doesNotMatch(JSON.stringify(read.body), secret);
    } finally {
      ollama.release();
      await test.close();
      await ollama.stop();
    }
  });
});

describe('A model that answers a linked person in the widget', () => {
  it('gets the conversation’s messages about its own app, and none about other pages', async () => {
    const ollama = await startOllamaStandIn({
      answer: () => 'The pump of the mill is oiled every month [1].',
    });
    const test = await serveTestApp({
      ollama: { url: ollama.url },
      widget: { allow_localhost: true },
    });
    try {
      const acme = await addOrganization(test);
      const pair = await addKeyWithSecret(test, acme);
      const content = 'The pump of the mill is oiled every month.';
      await storeEntry(test, acme, { title: 'Pump of the mill', content });
      const account = await addAccount(test, acme, 'Ada');
      const userToken = await addUserToken(test, pair);
      await link(test, account, { widgetKey: pair.key.key, token: userToken });
      const asked = async (over: 'api/conversations' | 'widget', message: string, rest: object) => {
        const { status, body } = await callApi<{ conversationId: string }>(
          `${test.url}/${over}/message`,
          {
            token: over === 'widget' ? userToken : account.token,
            headers: over === 'widget' ? { Origin: 'https://acme.example' } : {},
            body: { message, ...rest },
          },
        );
        assert.equal(status, 200);
        return body.conversationId;
      };
      const page = (url: string) => ({ context: { url, title: '' } });
      const own = page('https://acme.example/');
      const message = (word: string) => `How often is the ${word} pump of the mill oiled?`;
      const conversationId = await asked('api/conversations', message('marigold'), own);
      const elsewhere = { ...page('https://bank.example/'), conversationId };
      await asked('api/conversations', message('larkspur'), elsewhere);
      const before = ollama.requests.length;
      await asked('widget', message('begonia'), { ...own, conversationId });
      const shown = JSON.stringify(ollama.requests.slice(before));
      assert.match(shown, /marigold/);
      assert.match(shown, /begonia/);
      assert.doesNotMatch(shown, /larkspur/);
    } finally {
      await test.close();
      await ollama.stop();
    }
  });
});
