import assert from 'node:assert/strict';
import { createUser } from '../../../src/accounts/users/create-user.js';
import { startIngestion } from '../../../src/ingestion/upload/start-ingestion.js';
import { fileRequest } from '../../../src/requests/file-request.js';
import { sampleManual } from '../../support/sample-manual.js';
import { storeEntry } from '../../support/stored-entry.js';
import { storeTalk } from '../../support/stored-talk.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';
import { openPageClient } from '../support/page-client.js';

describe('The search of the backoffice', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;

  beforeEach(async () => {
    test = await serveTestApp();
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const signedIn = async (role: 'admin' | 'backoffice') => {
    const browser = openPageClient(test.url);
    await browser.signIn(await addUser(test, acme, role));
    return browser;
  };
  const at = '2026-11-01T00:00:00.000Z';

  /** Stores one item of each kind that contains the word. */
  async function fill(organization: TestOrganization, word: string) {
    const { operator } = organization;
    await storeEntry(test, organization, { title: `Draining the ${word}`, content: 'In October.' });
    const manual = { fileName: `${word} manual.pdf`, bytes: await sampleManual(1) };
    await startIngestion(test.app, operator, manual);
    await fileRequest(test.app, operator, { question: `Who feeds the ${word}?` });
    const { organizationId } = operator;
    await storeTalk(test.app, { organizationId, at, question: `Is the ${word} deep?` });
    const email = `${word}@${organization.domain}`;
    const named = { email, displayName: `Ada ${word}`, role: 'user' as const };
    await createUser(test.app, operator, { ...named, password: 'correct horse battery' });
  }

  it('finds entries, documents, requests, conversations and people, and links to all of each kind', async () => {
    await fill(acme, 'pond');
    await fill(await addOrganization(test, 'Other'), 'pondweed');
    const { organizationId } = acme.operator;
    for (let count = 0; count < 6; count += 1) {
      await storeTalk(test.app, { organizationId, at, question: `A pond of ${count} fish?` });
    }
    const browser = await signedIn('admin');
    const { text } = await browser.open('/search?q=pond');
    for (const one of ['Draining the pond', 'pond manual.pdf', 'Who feeds the pond?', 'Ada pond'])
      assert.ok(text.includes(one), one);
    assert.ok(!text.includes('pondweed'));
    assert.equal(text.match(/href="\/backoffice\/conversations\/[\w-]{36}"/g)?.length, 5);
    assert.match(text, /<a href="\/backoffice\/conversations\?q=pond">All 7 in Conversations<\/a>/);
    assert.match(text, /href="\/backoffice\/knowledge\?q=pond"/);
    assert.match(text, /href="\/backoffice\/documents\?name=pond"/);
    assert.match(text, /href="\/backoffice\/questions\?status=all&amp;q=pond"/);
    assert.match(text, /<input type="search" name="q" value="pond"/);
    const all = await browser.open('/conversations?q=pond');
    assert.match(all.text, /Conversations in all: 7/);
    const read = { action: 'conversation.read' };
    assert.equal((await test.app.db.read('audit_log').where(read)).length, 0);
  });

  it('explains what it finds, and states when nothing is found', async () => {
    const browser = await signedIn('backoffice');
    assert.match((await browser.open('/search')).text, /Finds entries, documents by their name/);
    const { text } = await browser.open('/search?q=%3Cb%3Epond');
    assert.match(text, /Nothing was found for “&lt;b>pond”/);
    assert.match((await browser.open('')).text, /<form class="find" role="search"/);
  });

  it('finds pages by name, and only people and pages that the role may open', async () => {
    await fill(acme, 'pond');
    const staff = await signedIn('backoffice');
    assert.doesNotMatch((await staff.open('/search?q=pond')).text, /Ada pond/);
    assert.match((await staff.open('/search?q=insi')).text, /<h2>Pages<\/h2>.*Insights/);
    const inGerman = { 'accept-language': 'de' };
    const { text: german } = await staff.open('/search?q=gesprache', inGerman);
    assert.match(german, /<h2>Seiten<\/h2>.*Gespräche/);
    assert.doesNotMatch((await staff.open('/search?q=webhook')).text, /\/webhooks"/);
    const admin = await signedIn('admin');
    assert.match((await admin.open('/search?q=webhook')).text, /<h2>Pages<\/h2>.*\/webhooks"/);
  });
});
