import assert from 'node:assert/strict';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import { queryPage } from '../../src/knowledge/query-page.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { callApi } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { addView } from '../support/views.js';

interface PageBody {
  url: string;
  status: string;
  content: unknown;
  contents: { title: string; language: string }[];
  app: unknown;
  domain: unknown;
  stats: { appContentCount: number; domainContentCount: number; scopedContentCount: number };
  suggestions: string[];
}

describe('The page query', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;

  beforeEach(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const query = async (url: string, more: Record<string, string> = {}, token?: string) => {
    const search = new URLSearchParams({ url, ...more });
    const path = `${test.url}/api/knowledge/page?${search.toString()}`;
    return callApi<PageBody>(path, token === undefined ? {} : { token });
  };
  it('leaves out the last of several very long entries, but counts it', async () => {
    const content = 'Backups are made at night. '.repeat(7500);
    for (const title of ['First', 'Second', 'Third']) {
      await storeEntry(test, acme, { title, content });
    }
    const { body } = await query('https://acme.example/');
    assert.equal(body.contents.length, 2);
    assert.equal(body.stats.appContentCount, 3);
  });

  const titles = async (url: string, more: Record<string, string> = {}) =>
    (await query(url, more)).body.contents.map(({ title }) => title);
  const store = (title: string, fields: Parameters<typeof storeEntry>[2] | object = {}) =>
    storeEntry(test, acme, { title, content: `About ${title}.`, ...fields });

  it('lists entries of the view first, then of URL patterns by specificity, of the domain, and of the app', async () => {
    const viewId = await addView(test, acme, '/invoices/:id');
    await store('app', { domain: null });
    await store('domain');
    await store('star', { urlPattern: '/invoices/*' });
    await store('name', { urlPattern: '/invoices/:id' });
    await store('literal', { urlPattern: '/invoices/17' });
    await store('elsewhere', { urlPattern: '/orders/:id' });
    await store('view', { viewId });
    await store('other view', { viewId: await addView(test, acme, '/orders') });

    const url = `https://${acme.domain}/invoices/17`;
    const byPlace = ['literal', 'name', 'star', 'domain', 'app'];
    assert.deepEqual(await titles(url), byPlace);
    assert.deepEqual(await titles(url, { view_path: '/invoices/:id' }), ['view', ...byPlace]);
    assert.deepEqual(await titles(url, { view_path: '/invoices/:id/' }), ['view', ...byPlace]);
    assert.deepEqual(await titles(url, { view_id: String(viewId) }), ['view', ...byPlace]);
    assert.deepEqual(await titles(url, { view_path: '/unknown' }), byPlace);
    const { stats } = (await query(url, { view_id: String(viewId) })).body;
    assert.deepEqual(stats, { appContentCount: 8, domainContentCount: 7, scopedContentCount: 4 });
  });

  it('ignores a view of another app', async () => {
    const globex = await addOrganization(test, 'Globex');
    const foreign = await addView(test, acme, '/invoices/:id');
    const viewId = await addView(test, globex, '/invoices/:id');
    await storeEntry(test, globex, { title: 'view', content: 'About it.', viewId });
    const url = `https://${globex.domain}/x`;
    assert.deepEqual(await titles(url, { view_path: '/invoices/:id' }), ['view']);
    assert.deepEqual(await titles(url, { view_id: String(foreign) }), []);
  });

  it('lists the last changed entry first among entries of the same place', async () => {
    for (const title of ['old', 'newer', 'newest']) {
      clock.advance(1000);
      await store(title);
    }
    assert.deepEqual(await titles(`https://${acme.domain}/`), ['newest', 'newer', 'old']);
  });

  it('returns at most 50 entries, but counts all', async () => {
    for (let number = 0; number < 52; number++) await store(`entry ${number}`);
    await store('first', { urlPattern: '/a' });
    const { body } = await query(`https://${acme.domain}/a`);
    assert.equal(body.contents.length, 50);
    assert.equal(body.contents[0]?.title, 'first');
    assert.equal(body.stats.domainContentCount, 53);
  });

  it('uses the app with the most specific claim of the host', async () => {
    const apps = new Map<string, number>();
    for (const host of ['*.wide.example', '*.near.wide.example', 'here.near.wide.example']) {
      const { id } = await createApp(test.app, acme.operator, { name: host });
      await claimDomain(test.app, acme.operator, { host, appId: id });
      await store(host, { appId: id, domain: host });
      apps.set(host, id);
    }
    const appAt = async (host: string) =>
      (await queryPage(test.app, acme.operator, { url: `https://${host}/` })).site.app?.id;
    assert.equal(await appAt('here.near.wide.example'), apps.get('here.near.wide.example'));
    assert.equal(await appAt('x.near.wide.example'), apps.get('*.near.wide.example'));
    assert.equal(await appAt('x.y.wide.example'), apps.get('*.wide.example'));
    assert.equal(await appAt('wide.example'), undefined);
    assert.equal(await appAt('notwide.example'), undefined);
    assert.deepEqual(await titles('https://x.near.wide.example/'), ['*.near.wide.example']);
  });

  it('lists entries of the host and of the wildcard above it', async () => {
    await claimDomain(test.app, acme.operator, { host: '*.docs.example', appId: acme.appId });
    await store('all', { domain: '*.docs.example' });
    await store('one', { domain: 'a.docs.example', urlPattern: '/' });
    assert.deepEqual(await titles('https://a.docs.example/'), ['one', 'all']);
    assert.deepEqual(await titles('https://b.docs.example/'), ['all']);
  });

  it('reports an unregistered host, without entries', async () => {
    await store('secret');
    const { status, body } = await query('https://Unknown.example/a');
    assert.equal(status, 200);
    assert.deepEqual(body, {
      url: 'https://Unknown.example/a',
      status: 'unregistered',
      content: null,
      contents: [],
      app: { id: null, name: null, isRegistered: false },
      domain: { name: 'unknown.example', isRegistered: false },
      stats: { appContentCount: 0, domainContentCount: 0, scopedContentCount: 0 },
      suggestions: [],
    });
  });

  it('reports a registered page without visible entries as empty, with its app and domain', async () => {
    await store('hidden', { visibility: 'internal' });
    const { body } = await query(`https://${acme.domain}/a`);
    assert.deepEqual([body.status, body.content, body.contents], ['empty', null, []]);
    assert.deepEqual(body.app, { id: acme.appId, name: 'Acme app', isRegistered: true });
    assert.deepEqual(body.domain, { name: acme.domain, isRegistered: true });
    assert.equal(body.stats.appContentCount, 0);
  });

  it('returns the id, texts, visibility and place of an entry', async () => {
    const entry = await store('page', { urlPattern: '/a' });
    const { body } = await query(`https://${acme.domain}/a`);
    const expected = {
      id: entry.id,
      title: 'page',
      visibility: 'public',
      content: 'About page.',
      scope: 'url_pattern',
      url_pattern: '/a',
      language: 'en',
    };
    assert.deepEqual([body.content, body.contents], [expected, [expected]]);
  });

  it('suggests titles of visible entries of the page, in one language if it is given', async () => {
    const page = { urlPattern: '/a' };
    await store('Feeding the herons', { ...page, content: 'The herons are fed at nine.' });
    await store('Die Reiher', { ...page, content: 'Die Reiher werden um neun gefüttert.' });
    await store('The budget', { ...page, visibility: 'internal' });
    await store('The whole site', { content: 'This is the same for all of the pages.' });
    const url = `https://${acme.domain}/a`;
    const both = ['Die Reiher', 'Feeding the herons'];
    assert.deepEqual((await query(url)).body.suggestions.toSorted(), both);
    const { token } = await addUser(test, acme, 'admin');
    const { suggestions } = (await query(url, {}, token)).body;
    assert.deepEqual(suggestions.toSorted(), [...both, 'The budget']);
    const german = await query(url, { language: 'de' });
    assert.deepEqual(german.body.suggestions, ['Die Reiher']);
    assert.deepEqual(
      german.body.contents.map(({ title, language }) => [title, language]),
      [['Die Reiher', 'de']],
    );
  });

  it('suggests one title from each chapter of the site if the page has no entries of its own', async () => {
    const site = [
      ...['Setup › Requirements', 'Setup › Installing the feeder', 'Setup › Starting the feeder'],
      ...['Herons › What herons eat', 'How to call us', 'Contact'],
    ];
    // The last changed entry comes first.
    for (const title of site.toReversed()) {
      await store(title, { content: 'The herons are fed at nine.' });
      clock.advance(1000);
    }
    await store('Der Reiher im Winter', { content: 'Die Reiher werden um neun gefüttert.' });
    await store('Feeding plan', { urlPattern: '/a', content: 'The herons are fed at nine.' });
    const suggested = async (path: string, language: string) =>
      (await query(`https://${acme.domain}${path}`, { language })).body.suggestions;
    assert.deepEqual(await suggested('/b', 'en'), [
      ...['Installing the feeder', 'What herons eat', 'How to call us'],
    ]);
    assert.deepEqual(await suggested('/b', 'de'), ['Der Reiher im Winter']);
    assert.deepEqual(await suggested('/a', 'en'), ['Feeding plan']);
  });

  it('suggests titles that make sense alone, and otherwise adds the name of the chapter', async () => {
    const suggested = async (...titles: string[]) => {
      await test.app.db.write('knowledge_entries').del();
      for (const title of titles.toReversed()) {
        await store(title, { content: 'The herons are fed at nine.' });
        clock.advance(1000);
      }
      return (await query(`https://${acme.domain}/b`, { language: 'en' })).body.suggestions;
    };
    const feeder = ['The feeder › What it is for', 'The feeder › Cleaning the tray'];
    assert.deepEqual(await suggested(...feeder), ['Cleaning the tray']);
    assert.deepEqual(await suggested('The feeder › What it is for', 'The feeder › How it works'), [
      'The feeder: What it is for',
    ]);
    assert.deepEqual(await suggested('About › What Heronry is', 'About › The old park'), [
      'What Heronry is',
    ]);
  });

  it('returns entries in the given language, even if many in others come before them', async () => {
    const content = 'The herons are fed at nine.';
    for (let number = 0; number < 51; number++) await store(`Heron ${number}`, { content });
    await store('Die Reiher', { content: 'Die Reiher werden um neun gefüttert.' });
    const url = `https://${acme.domain}/`;
    assert.equal((await titles(url)).includes('Die Reiher'), false);
    assert.deepEqual(await titles(url, { language: 'de' }), ['Die Reiher']);
    assert.equal((await titles(url, { language: 'en' })).length, 50);
    assert.equal((await query(url, { language: 'de' })).body.stats.appContentCount, 52);
  });

  it('refuses an invalid url, and unknown or invalid parameters', async () => {
    const base = `${test.url}/api/knowledge/page`;
    for (const search of [
      '',
      '?url=',
      '?url=/install',
      '?url=javascript:alert(1)',
      `?url=https://${'a'.repeat(5000)}.example/`,
      '?url=https://a.example/&url=https://b.example/',
      '?url=https://a.example/&view_id=x',
      '?url=https://a.example/&view_id=0',
      '?url=https://a.example/&tier=internal',
      '?url=https://a.example/&language=fr',
    ]) {
      const { status, body } = await callApi(`${base}${search}`);
      assert.deepEqual([status, body.code], [400, 'invalid_request'], search);
      assert.ok((body.errors?.length ?? 0) > 0, search);
    }
  });
});
