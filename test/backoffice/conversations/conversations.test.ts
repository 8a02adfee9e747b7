import assert from 'node:assert/strict';
import { mostLookedAt } from '../../../src/conversations/read-conversations.js';
import { callApi } from '../../support/api-client.js';
import { storeEntry } from '../../support/stored-entry.js';
import { storeTalk } from '../../support/stored-talk.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('Conversations in the backoffice', () => {
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

  it('are filtered by channel, outcome and rating', async () => {
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

  it('are filtered by comments and incomplete answers, and exported with an audit record', async () => {
    const commented = await ask('When is the pond drained?');
    const broken = await ask('Who invented the telescope?');
    await callApi(
      `${test.url}/api/conversations/${commented.conversationId}/messages/${commented.messageId}/feedback`,
      { method: 'PUT', token: ida.token, body: { rating: 'down', comment: 'Too short' } },
    );
    const messages = test.app.db.write('messages').where({ id: broken.messageId });
    await messages.update({ status: 'incomplete' });
    const of = async (query: string) => {
      const { text } = await browser.open(`/conversations?${query}`);
      return [commented, broken].map((one) => text.includes(one.conversationId));
    };
    assert.deepEqual(await of('commented=true'), [true, false]);
    assert.deepEqual(await of('incomplete=true'), [false, true]);
    const { text } = await browser.open('/conversations?commented=true');
    assert.match(text, /<input type="hidden" name="commented" value="true"/);
    const form = { do: 'export', commented: 'true' };
    const lines = await browser.send('/conversations', { ...form, format: 'jsonl' });
    assert.equal(lines.status, 200);
    assert.match(lines.headers.get('content-disposition') ?? '', /"conversations\.jsonl"/);
    const all = lines.text.trimEnd().split('\n');
    assert.equal((JSON.parse(all[0] ?? '') as { id: string }).id, commented.conversationId);
    assert.equal(all.length, 1);
    const table = await browser.send('/conversations', { ...form, format: 'csv' });
    assert.match(table.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(table.text, /When is the pond drained\?/);
    assert.ok(!table.text.includes('telescope'));
    const records = test.app.db.read('audit_log').where({ action: 'conversation.export' });
    assert.equal((await records).length, 2);
  });

  it('are paged with their filters, and lead back to the newest', async () => {
    const at = '2026-11-01T10:00:00.000Z';
    const talk = { organizationId: acme.operator.organizationId, at };
    for (let count = 0; count < 51; count += 1) await storeTalk(test.app, talk);
    const count = (text: string) => text.match(/conversations\/[\w-]{36}"/g)?.length;
    const first = (await browser.open('/conversations?channel=people&found=true')).text;
    assert.equal(count(first), 50);
    assert.match(first, /Conversations in all: 51/);
    const [, next = ''] = /rel="next" href="\/backoffice([^"]+)"/.exec(first) ?? [];
    const second = (await browser.open(next.replaceAll('&amp;', '&'))).text;
    assert.equal(count(second), 1);
    assert.match(second, /rel="first" href="[^"]*\?channel=people&amp;found=true"/);
    assert.ok(!second.includes('rel="next"'));
  });

  it('with words are looked for among the latest messages with them, and among older ones at a click', async () => {
    const at = '2026-11-01T10:00:00.000Z';
    const { organizationId } = acme.operator;
    const talk = { organizationId, at, question: 'Where are my refunds?' };
    await storeTalk(test.app, { ...talk, channel: 'api' });
    const { conversationId } = await storeTalk(test.app, { ...talk, channel: 'widget' });
    const message = { conversation_id: conversationId, role: 'user', content: 'My refunds?' };
    const rows = Array.from({ length: mostLookedAt }, () => ({
      ...{ ...message, status: 'complete', language: 'en', created_at: at },
    }));
    await test.app.db.write.batchInsert('messages', rows, 100);
    const path = '/conversations?q=refunding&channel=api';
    const first = (await browser.open(path)).text;
    assert.match(first, /Nothing fits among the latest 5,000 messages with these words\./);
    const [, next = '', link] = /rel="next" href="\/backoffice([^"]+)">([^<]+)/.exec(first) ?? [];
    assert.equal(link, 'Search older messages');
    const second = (await browser.open(next.replaceAll('&amp;', '&'))).text;
    assert.match(second, /conversations\/[\w-]{36}"/);
    assert.match(second, /Conversations in all: 1</);
    assert.ok(!second.includes('rel="next"'));
  });

  it('are opened with an audit record, and can be deleted', async () => {
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

  it('are shown only to staff of their organization', async () => {
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
