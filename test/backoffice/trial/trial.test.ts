import assert from 'node:assert/strict';
import type { Entry } from '../../../src/knowledge/entry.js';
import { storeEntry } from '../../support/stored-entry.js';
import { claimDomain } from '../../../src/tenancy/manage-domains.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('The page for trying a question', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let pond: Entry;
  let secret: Entry;
  let browser: PageClient;

  before(async () => {
    test = await serveTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    pond = await storeEntry(test, acme, {
      ...{ title: 'Draining the pond', content: 'The pond is drained in **October**.' },
    });
    secret = await storeEntry(test, acme, {
      ...{ title: 'Pond costs', content: 'The pond costs 900 euros.', visibility: 'internal' },
    });
    browser = openPageClient(test.url);
    await browser.signIn(await addUser(test, acme, 'backoffice'));
  });
  after(() => test.close());

  const form = { do: 'ask', url: '', tier: 'public', language: '' };
  const ask = (question: string, change = {}) =>
    browser.send('/try', { ...form, question, ...change });

  it('can be filled in by a link, which asks nothing by itself', async () => {
    const query = new URLSearchParams({ question: 'A <b> pond?', tier: 'authenticated' });
    const { text } = await browser.open(`/try?${query.toString()}`);
    assert.ok(text.includes('A &lt;b> pond?</textarea>'), text);
    assert.match(text, /<option value="authenticated" selected/);
    assert.deepEqual(await test.app.db.read('usage_events'), []);
    assert.equal((await browser.open('/try?tier=x&language=y&entry=')).status, 200);
  });

  it('shows the answer with its sources, and the words that no entry contains', async () => {
    const { status, text } = await ask('When is the pond drained by Zorvex?');
    const { text: answered } = await ask('When is the pond drained?');
    assert.equal(status, 200);
    assert.match(text, /zorvex.*in no entry/is);
    assert.match(answered, /<strong>October<\/strong>/);
    assert.ok(answered.includes(`/knowledge/${pond.uuid}"`));
    assert.match(answered, /cited/);
    assert.ok(answered.endsWith('</html>'), 'the page is complete');
    assert.ok(!answered.includes('900 euros'), 'a visitor sees nothing internal');
    assert.match(answered, /knowledge\/new\?title=When\+is\+the\+pond\+drained/);
  });

  it('answers as a person of the chosen tier', async () => {
    assert.match((await ask('What does the pond cost?', { tier: 'internal' })).text, /900 euros/);
    assert.ok(!(await ask('What does the pond cost?')).text.includes('900 euros'));
  });

  it('shows why an entry is not in the answer, found by its words or its id', async () => {
    const why = async (entry: string) => {
      const query = new URLSearchParams({ question: 'What does the pond cost?', entry });
      return (await browser.open(`/try?${query.toString()}`)).text;
    };
    assert.match(await why(secret.uuid), /Fewer people may see it than would ask here/);
    assert.ok((await why('costs euros')).includes(`entry=${secret.uuid}#why-not`));
    assert.match(await why('nothing of that'), /No entry fits these words/);
    assert.match(await why('999999'), /No entry fits these words/);
  });

  it('keeps the typed fields after a refusal', async () => {
    const globex = await addOrganization(test, 'Globex');
    const url = `https://${globex.domain}/`;
    const { status, text } = await ask('When is the pond drained?', { url });
    assert.equal(status, 400);
    assert.ok(text.includes('When is the pond drained?</textarea>'));
    assert.ok(text.includes(`value="${url}"`));
    assert.match(text, /belongs to no app of this organization/);
    assert.equal((await ask('')).status, 400);
  });

  it('asks nothing without a session or from another site', async () => {
    const before = (await test.app.db.read('usage_events')).length;
    const stranger = openPageClient(test.url);
    const question = 'When is the pond drained?';
    assert.equal((await stranger.send('/try', { ...form, question })).status, 303);
    const foreign = { 'sec-fetch-site': 'cross-site' };
    assert.equal((await browser.send('/try', { ...form, question }, foreign)).status, 403);
    assert.equal((await test.app.db.read('usage_events')).length, before);
  });

  it('streams the answer, then replaces it with the answer and its reasons', async () => {
    const { text, headers } = await ask('When is the pond drained?');
    assert.match(text, /<div class="coming"><span>[^<]+<\/span><div class="result">/);
    assert.equal(headers.get('x-accel-buffering'), 'no');
    assert.ok(!text.includes('<template'), text);
  });

  it('shows why there is no answer if the model fails', async () => {
    const silent = await serveTestApp({ answers: { mode: 'ollama' } });
    try {
      const globex = await addOrganization(silent);
      await storeEntry(silent, globex, {
        ...{ title: 'Draining the pond', content: 'The pond is drained in October.' },
      });
      const operator = openPageClient(silent.url);
      await operator.signIn(await addUser(silent, globex, 'backoffice'));
      const { text } = await operator.send('/try', {
        ...form,
        question: 'When is the pond drained?',
      });
      assert.match(text, /class="fault result".*There is no answer:/s);
      assert.ok(text.endsWith('</html>'), 'the page is complete');
    } finally {
      await silent.close();
    }
  });

  it('is linked from an entry, with its title and tier', async () => {
    const { text } = await browser.open(`/knowledge/${secret.uuid}`);
    assert.match(text, /try\?question=Pond\+costs&amp;tier=internal&amp;entry=/);
  });

  it('leads to the form of a new entry with title and domain filled in', async () => {
    await claimDomain(test.app, acme.operator, { host: 'shop.acme.example', appId: acme.appId });
    const open = (domain: string) => browser.open(`/knowledge/new?title=Why%3F&domain=${domain}`);
    const { text } = await open('shop.acme.example');
    assert.match(text, /value="Why\?"/);
    assert.match(text, /name="domain"[^>]*value="shop.acme.example"/);
    // An unregistered domain would be refused.
    assert.doesNotMatch((await open('elsewhere.example')).text, /elsewhere/);
  });
});
