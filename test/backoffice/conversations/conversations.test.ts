import assert from 'node:assert/strict';
import { callApi } from '../../support/api-client.js';
import { storeEntry } from '../../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('The conversations of the backoffice', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ida: TestUser;
  let browser: PageClient;

  beforeEach(async () => {
    test = await serveTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    ida = await addUser(test, acme, 'user');
    await storeEntry(test, acme, {
      ...{ title: 'Draining the pond', content: 'The pond is drained in October.' },
    });
    browser = openPageClient(test.url);
    await browser.signIn(await addUser(test, acme, 'backoffice'));
  });
  afterEach(() => test.close());

  const ask = async (message: string) => {
    const context = { url: `https://${acme.domain}/`, title: 'Pond' };
    const { body } = await callApi<{ conversationId: string; messageId: number }>(
      `${test.url}/api/conversations/message`,
      { token: ida.token, body: { message, context } },
    );
    return body;
  };

  it('are listed by where, by whether they were answered, and by opinion', async () => {
    const answered = await ask('When is the pond drained?');
    const open = await ask('Who invented the telescope?');
    await callApi(
      `${test.url}/api/conversations/${answered.conversationId}/messages/${answered.messageId}/feedback`,
      { method: 'PUT', token: ida.token, body: { rating: 'down', comment: 'Too <b>short</b>' } },
    );
    const ids = async (query: string) =>
      [
        ...(await browser.open(`/conversations?${query}`)).text.matchAll(
          /conversations\/([\w-]{36})"/g,
        ),
      ]
        .map((match) => match[1])
        .sort();
    const both = [answered.conversationId, open.conversationId].sort();
    assert.deepEqual(await ids(''), both);
    assert.deepEqual(await ids('channel=api'), both);
    assert.deepEqual(await ids('channel=widget'), []);
    assert.deepEqual(await ids('found=true'), [answered.conversationId]);
    assert.deepEqual(await ids('found=false'), [open.conversationId]);
    assert.deepEqual(await ids('rating=down'), [answered.conversationId]);
    const { text } = await browser.open(`/conversations/${answered.conversationId}`);
    assert.match(text, /drained in October/);
    assert.match(text, /1 source/);
    assert.match(text, /Not helpful/);
    assert.match(text, /Too &lt;b>short&lt;\/b>/);
  });

  it('are opened with a record of it, and deleted', async () => {
    const { conversationId } = await ask('When is the pond drained?');
    await browser.open(`/conversations/${conversationId}`);
    const records = await test.app.db
      .read('audit_log')
      .where({ action: 'conversation.read', subject: `conversation:${conversationId}` });
    assert.equal(records.length, 1);
    const form = { do: 'delete', sure: 'on' };
    assert.equal((await browser.send(`/conversations/${conversationId}`, form)).status, 303);
    assert.equal((await browser.open(`/conversations/${conversationId}`)).status, 404);
  });

  it('are those of the own organization alone, and for staff', async () => {
    const { conversationId } = await ask('When is the pond drained?');
    const stranger = openPageClient(test.url);
    await stranger.signIn(await addUser(test, await addOrganization(test, 'Other'), 'admin'));
    assert.equal((await stranger.open(`/conversations/${conversationId}`)).status, 404);
    const form = { do: 'delete', sure: 'on' };
    assert.equal((await stranger.send(`/conversations/${conversationId}`, form)).status, 404);
    assert.ok(!(await stranger.open('/conversations')).text.includes('pond'));
    assert.equal((await browser.open(`/conversations/${conversationId}`)).status, 200);
  });
});
