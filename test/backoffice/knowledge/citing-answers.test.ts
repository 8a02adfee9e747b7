import assert from 'node:assert/strict';
import { insertCitations } from '../../../src/knowledge/citations.repository.js';
import type { Entry } from '../../../src/knowledge/entry.js';
import { storeEntry } from '../../support/stored-entry.js';
import { storeTalk } from '../../support/stored-talk.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('The answers that cite an entry', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let browser: PageClient;
  let pond: Entry;

  beforeEach(async () => {
    test = await serveTestApp({});
    acme = await addOrganization(test);
    browser = openPageClient(test.url);
    await browser.signIn(await addUser(test, acme, 'backoffice'));
    pond = await storeEntry(test, acme, { title: 'Pond', content: 'The pond is drained in May.' });
  });
  afterEach(() => test.close());

  const cite = async (question: string, more: object = {}) => {
    const { organizationId } = acme.operator;
    const at = '2026-05-01T00:00:00.000Z';
    const talk = await storeTalk(test.app, { organizationId, at, question, ...more });
    await insertCitations(test.app, organizationId, talk.replyId, [pond.uuid]);
    return talk;
  };
  const asked = (text: string) =>
    [...text.matchAll(/>(Question [^<]+)</g)].map((match) => match[1]);

  it('are counted on its page, with the latest ones and a link to all, page by page', async () => {
    const none = await browser.open(`/knowledge/${pond.uuid}`);
    assert.match(none.text, /No answer has cited this entry yet/);
    for (let number = 1; number <= 52; number += 1) await cite(`Question ${number}`);
    const { text } = await browser.open(`/knowledge/${pond.uuid}`);
    assert.deepEqual(
      asked(text),
      [52, 51, 50, 49, 48].map((number) => `Question ${number}`),
    );
    assert.match(text, /Answers in all: 52/);
    const all = await browser.open(`/knowledge/${pond.uuid}/answers`);
    assert.equal(asked(all.text).length, 50);
    const older = /href="\/backoffice([^"]+)">Older</.exec(all.text)?.[1] ?? '';
    const rest = await browser.open(older.replaceAll('&amp;', '&'));
    assert.deepEqual(asked(rest.text), ['Question 2', 'Question 1']);
    assert.ok(!rest.text.includes('>Older<'));
    assert.match(rest.text, /Back to the newest/);
  });

  it('link to their place in the conversation, on any of its pages', async () => {
    const { conversationId } = await cite('Question 0');
    for (let number = 1; number < 30; number += 1)
      await cite(`Question ${number}`, { conversationId });
    const { text } = await browser.open(`/knowledge/${pond.uuid}`);
    const link = /href="\/backoffice(\/conversations\/[^"#]+)#(message-\d+)"[^>]*>Question 29</;
    const [, path = '', anchor = ''] = link.exec(text) ?? [];
    const opened = await browser.open(path);
    assert.equal(opened.status, 200);
    assert.match(opened.text, new RegExp(`id="${anchor}"`));
    assert.match(opened.text, /51 to 60 of 60/);
    assert.ok(!(await browser.open(`/conversations/${conversationId}`)).text.includes(anchor));
  });

  it('show questions as plain text, and only to the entry’s organization', async () => {
    await cite('<b>Question</b> & more');
    const { text } = await browser.open(`/knowledge/${pond.uuid}`);
    assert.match(text, /&lt;b>Question&lt;\/b> &amp; more/);
    const stranger = openPageClient(test.url);
    await stranger.signIn(await addUser(test, await addOrganization(test, 'Other'), 'admin'));
    assert.equal((await stranger.open(`/knowledge/${pond.uuid}/answers`)).status, 404);
  });

  it('filter the list of entries, also for a change of many', async () => {
    await storeEntry(test, acme, { title: 'Shed', content: 'The shed is locked.' });
    await cite('When?');
    const titles = async (query: string) => {
      const { text } = await browser.open(`/knowledge?${query}`);
      return [...text.matchAll(/<a href="[^"]+" lang="\w\w">([^<]+)</g)].map((match) => match[1]);
    };
    assert.deepEqual(await titles('use=unused'), ['Shed']);
    assert.deepEqual(await titles('use=used'), ['Pond']);
    assert.match((await browser.open('/knowledge/change?use=unused')).text, /Shed/);
    assert.ok(!(await browser.open('/knowledge/change?use=unused')).text.includes('Pond'));
  });
});
