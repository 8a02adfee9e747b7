import assert from 'node:assert/strict';
import { callApi } from '../support/api-client.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { addWidgetKey } from '../support/widget-keys.js';

describe('The language of a reply to a question of a few words', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let key: string;
  const origin = 'https://acme.example';

  before(async () => {
    test = await serveTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    key = await addWidgetKey(test, acme, 'public');
  });
  after(() => test.close());

  interface Reply {
    language: string;
    conversationId: string;
    visitorToken: string;
  }
  const ask = async (message: string, page: object, going?: Reply) => {
    const context = { url: `${origin}/zoo`, title: 'Zoo', ...page };
    const headers = {
      Origin: origin,
      ...(going === undefined ? {} : { 'X-Visitor-Token': going.visitorToken }),
    };
    const body = { message, context, conversationId: going?.conversationId };
    const reply = await callApi<Reply>(`${test.url}/widget/message`, {
      ...{ method: 'POST', key, headers, body },
    });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return reply.body;
  };
  const english = { title: 'What the zoo offers its guests' };

  it('is the language of the page', async () => {
    assert.equal((await ask('zebra quota?', english)).language, 'en');
  });

  it('follows the conversation first, then the page, then the panel', async () => {
    const begun = await ask('Wie viele Tiere leben hier?', english);
    assert.equal(begun.language, 'de');
    assert.equal((await ask('zebra quota?', english, begun)).language, 'de');
    assert.equal((await ask('zebra quota?', { ...english, language: 'de' })).language, 'en');
    assert.equal((await ask('zebra quota?', { language: 'de' })).language, 'de');
  });
});
