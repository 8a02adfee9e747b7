import assert from 'node:assert/strict';
import { getEntry } from '../../../src/knowledge/read-entries.js';
import { updateEntry } from '../../../src/knowledge/update-entry.js';
import { storeEntry } from '../../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('Entries in the backoffice', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let browser: PageClient;

  beforeEach(async () => {
    test = await serveTestApp({});
    acme = await addOrganization(test);
    browser = openPageClient(test.url);
    await browser.signIn(await addUser(test, acme, 'backoffice'));
  });
  afterEach(() => test.close());

  const add = (title: string, more: object = {}) =>
    storeEntry(test, acme, { title, content: `${title} is **described** here.`, ...more });
  const read = (uuid: string) => getEntry(test.app, acme.operator, uuid);
  const fields = {
    title: 'The pond',
    content: 'New.',
    domain: '',
    url_pattern: '',
    visibility: '',
  };

  it('are filtered by words, state, tier and domain, and listed 50 to a page', async () => {
    await add('The pond');
    await add('The cellar', { visibility: 'internal', status: 'draft' });
    const titles = async (query: string) => {
      const { text } = await browser.open(`/knowledge?${query}`);
      return [...text.matchAll(/<a href="[^"]+" lang="\w\w">([^<]+)</g)].map((match) => match[1]);
    };
    assert.deepEqual(await titles('sort=title'), ['The cellar', 'The pond']);
    assert.deepEqual(await titles('q=pond'), ['The pond']);
    assert.deepEqual(await titles('status=draft'), ['The cellar']);
    assert.deepEqual(await titles('visibility=public&status='), ['The pond']);
    assert.deepEqual(await titles(`domain=${acme.domain}&visibility=internal`), ['The cellar']);
    assert.deepEqual(await titles('domain=elsewhere.example'), []);
    for (let number = 0; number < 50; number += 1) await add(`Entry ${number}`);
    const { text } = await browser.open('/knowledge?sort=title');
    assert.match(text, /1 to 50 of 52/);
    assert.equal((await titles('sort=title&page=2')).length, 2);
  });

  it('suggest the domains of the organization, and take the host name from a pasted address', async () => {
    const { text } = await browser.open('/knowledge/new');
    assert.match(text, new RegExp(`<option value="${acme.domain}"`));
    assert.match(text, new RegExp(`name="domain"[^>]* value="${acme.domain}"`));
    const form = { ...fields, do: 'create', domain: `https://${acme.domain}/help?a=1#b` };
    const { to } = await browser.send('/knowledge/new', form);
    const [, uuid = ''] = /knowledge\/([^?]+)/.exec(to) ?? [];
    assert.equal((await read(uuid)).domain, acme.domain);
  });

  it('can be published at once, and show their Markdown as visitors see it', async () => {
    const form = { ...fields, domain: acme.domain, content: '# Depth\n\nIt is `3 m` <b>deep</b>.' };
    const { status, to } = await browser.send('/knowledge/new', {
      ...{ ...form, do: 'create', publish: 'on' },
    });
    assert.equal(status, 303);
    const path = to.replace('/backoffice', '').replace(/\?.*/, '');
    const { text } = await browser.open(path);
    assert.match(text, /<h3>Depth<\/h3><p>It is <code>3 m<\/code> &lt;b>deep&lt;\/b>\.<\/p>/);
    const entry = await read(path.split('/').at(-1) ?? '');
    assert.deepEqual([entry.status, entry.domain], ['published', acme.domain]);
    const without = await browser.send('/knowledge/new', { ...fields, do: 'create' });
    assert.equal(without.status, 400);
    assert.match(without.text, /Name the domain/);
  });

  it('show only the beginning of a very long text as formatted Markdown', async () => {
    const content = '- *a*\n'.repeat(80_000);
    const { uuid } = await add('The pond', { content });
    await updateEntry(test.app, acme.operator, uuid, { content: `${content}*b*` });
    const { status, text } = await browser.open(`/knowledge/${uuid}`);
    assert.equal(status, 200);
    const items = text.match(/<li>/g)?.length ?? 0;
    assert.ok(items > 1000 && items < 5000, String(items));
    assert.match(text, /\n\*b\*<\/p>/);
    assert.ok(text.length < 3_000_000, String(text.length));
  });

  it('are edited, unpublished, published and deleted', async () => {
    const { uuid } = await add('The pond');
    const at = `/knowledge/${uuid}`;
    const saved = await browser.send(at, {
      ...{ ...fields, do: 'save', version: '1', domain: acme.domain, url_pattern: '/pond/*' },
    });
    assert.equal(saved.to, `/backoffice${at}?done=saved`);
    const entry = await read(uuid);
    assert.deepEqual([entry.content, entry.urlPattern, entry.version], ['New.', '/pond/*', 2]);
    await browser.send(at, { do: 'setStatus', version: '2', status: 'draft' });
    assert.equal((await read(uuid)).status, 'draft');
    await browser.send(at, { do: 'setStatus', version: '3', status: 'published' });
    assert.equal((await read(uuid)).status, 'published');
    assert.equal((await browser.send(at, { do: 'delete', version: '4', sure: 'on' })).status, 303);
    assert.equal((await browser.open(at)).status, 404);
  });

  it('show both texts after another person’s change, and overwrite nothing unseen', async () => {
    const { uuid } = await add('The pond');
    await updateEntry(test.app, acme.operator, uuid, { content: 'Theirs.' });
    const form = { ...fields, do: 'save', domain: acme.domain, content: 'Mine.' };
    const refused = await browser.send(`/knowledge/${uuid}`, { ...form, version: '1' });
    assert.equal(refused.status, 412);
    assert.match(refused.text, />\nMine\.<\/textarea>/);
    assert.match(refused.text, /<p>Theirs\.<\/p>/);
    assert.equal((await read(uuid)).content, 'Theirs.');
    const version = /name="version" value="(\d+)"/.exec(refused.text)?.[1] ?? '';
    const again = await browser.send(`/knowledge/${uuid}`, { ...form, version });
    assert.equal(again.status, 303);
    assert.equal((await read(uuid)).content, 'Mine.');
  });

  it('can restore an earlier version', async () => {
    const { uuid, content } = await add('The pond');
    await updateEntry(test.app, acme.operator, uuid, { content: 'Worse.' });
    const { text } = await browser.open(`/knowledge/${uuid}`);
    assert.match(text, /Put back version 1/);
    const form = { do: 'restore', version: '2', restored: '1' };
    assert.equal((await browser.send(`/knowledge/${uuid}`, form)).status, 303);
    assert.equal((await read(uuid)).content, content);
    const unknown = await browser.send(`/knowledge/${uuid}`, { ...form, restored: '77' });
    assert.equal(unknown.status, 404);
  });

  it('can compare an earlier version with the present one', async () => {
    const { uuid, content } = await add('The pond');
    await updateEntry(test.app, acme.operator, uuid, { content: `${content} In June.` });
    const compared = async (version: string) => {
      const { text } = await browser.open(`/knowledge/${uuid}?version=${version}`);
      return /id="compared"[^]*/.exec(text)?.[0];
    };
    const shown = (await compared('1')) ?? '';
    assert.match(shown, /^id="compared">Version 1 and now</);
    assert.match(shown, /<ins><span class="unseen">\[added: <\/span>[^<]*In June\.</);
    assert.doesNotMatch(shown.split('class="text now"')[0] ?? '', /<ins>(?!added)/);
    for (const unknown of ['7', 'x']) assert.equal(await compared(unknown), undefined);
  });

  it('exist only for their organization', async () => {
    const { uuid } = await add('The pond');
    const stranger = openPageClient(test.url);
    await stranger.signIn(await addUser(test, await addOrganization(test, 'Other'), 'admin'));
    assert.equal((await stranger.open(`/knowledge/${uuid}`)).status, 404);
    const gone = { do: 'delete', version: '1', sure: 'on' };
    assert.equal((await stranger.send(`/knowledge/${uuid}`, gone)).status, 404);
    assert.ok(!(await stranger.open('/knowledge')).text.includes('The pond'));
    assert.equal((await read(uuid)).title, 'The pond');
  });
});
