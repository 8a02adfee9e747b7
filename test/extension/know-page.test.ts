import assert from 'node:assert/strict';
import { createKnowledge } from '../../src/extension/browser/panel/know-page.js';
import { ServiceError, type Service } from '../../src/extension/browser/service/service.js';

const key = 'wk_live_0000000000000000';
const app = { id: 7, name: 'Acme app' };
const link = { id: 3, app_id: 7, app_name: 'Acme app', external_id: 'paula' };

/** A service with these registered hosts and entries, and this answer about a widget key. */
function answering(hosts: string[], links: () => object, contents: { language: string }[] = []) {
  const asked: URL[] = [];
  const json = (_method: string, path: string) => {
    const url = new URL(path, 'http://service');
    asked.push(url);
    if (url.pathname === '/api/account-links') return Promise.resolve().then(links);
    const { host } = new URL(url.searchParams.get('url') ?? '');
    const domain = { name: host, isRegistered: hosts.includes(host) };
    const language = url.searchParams.get('language');
    assert.equal(url.searchParams.get('own'), 'true', 'sites of other organizations do not count');
    const read = contents.filter((entry) => language === null || entry.language === language);
    return Promise.resolve({ contents: read.slice(0, 50), domain });
  };
  const addresses = () => asked.map(({ searchParams }) => searchParams.get('url') ?? '').join(' ');
  return { asked, addresses, service: { json } as unknown as Service };
}

describe('The extension on a page', () => {
  it('sends the origin and the declared widget key, and uses the service’s answer about both', async () => {
    const { service, asked } = answering(['docs.example.com'], () => ({
      ...{ data: [link], app, linkable: true },
    }));
    const page = await createKnowledge(service, 'en').know('https://docs.example.com/a?b=1', key);
    assert.deepEqual(page.links, { app, isLinkable: true, link });
    const question = asked.find(({ pathname }) => pathname === '/api/account-links');
    assert.deepEqual(Object.fromEntries(question?.searchParams ?? []), {
      ...{ widget_key: key, origin: 'https://docs.example.com' },
    });
  });

  it('offers no link if the service says that the site is not linkable, or does not know the key', async () => {
    const elsewhere = { data: [link], app, linkable: false };
    const refuse = (code: string) => () => {
      throw new ServiceError(code);
    };
    for (const address of ['http://evil.example/', 'http://localhost:3000/', 'http://127.0.0.1/']) {
      const { service } = answering(['evil.example'], () => elsewhere);
      const { links } = await createKnowledge(service, 'en').know(address, key);
      assert.deepEqual(links, { app, isLinkable: false, link: undefined }, address);
    }
    const unknown = createKnowledge(
      answering(['evil.example'], refuse('not_found')).service,
      'en',
    ).know;
    const { links } = await unknown('http://evil.example/', key);
    assert.equal(links?.isLinkable, false);
    const offline = createKnowledge(
      answering(['evil.example'], refuse('offline')).service,
      'en',
    ).know;
    await assert.rejects(offline('http://evil.example/', key), { code: 'offline' });
  });

  it('sends only the host of an unregistered site, even if another service has registered it', async () => {
    const known = answering(['docs.example.com'], () => ({}));
    const first = createKnowledge(known.service, 'en').know;
    assert.equal((await first('https://docs.example.com/where/she/is', undefined)).isOwn, true);
    assert.match(known.addresses(), /where\/she\/is/);
    const other = answering([], () => ({}));
    const second = createKnowledge(other.service, 'en').know;
    assert.equal((await second('https://docs.example.com/where/she/is', undefined)).isOwn, false);
    assert.equal(other.addresses(), 'https://docs.example.com/');
  });

  it('lists entries of the page before others, with the reader’s language first in both groups', async () => {
    const entry = (title: string, language: string, scope: string) => ({
      ...{ id: title, title, content: title, language, scope, visibility: 'public' },
    });
    const contents = [
      entry('Assistant', 'other', 'domain_global'),
      entry('of the page', 'en', 'url_pattern'),
      entry('der Seite', 'de', 'view'),
      entry('of the site', 'en', 'domain_global'),
      entry('der App', 'de', 'app_global'),
    ];
    const { service } = answering(['docs.example.com'], () => ({}), contents);
    const titles = async (language: 'de' | 'en') => {
      const { know } = createKnowledge(service, language);
      const { entries, isCut } = await know('https://docs.example.com/', undefined);
      assert.equal(isCut, false);
      return entries.map(({ title }) => title);
    };
    assert.deepEqual(await titles('de'), [
      ...['der Seite', 'of the page', 'der App', 'Assistant', 'of the site'],
    ]);
    assert.deepEqual(await titles('en'), [
      ...['of the page', 'der Seite', 'of the site', 'Assistant', 'der App'],
    ]);
  });

  it('lists entries in the reader’s language even if there are too many in others', async () => {
    const entries = Array.from({ length: 60 }, (_, id) => ({
      ...{ id, title: String(id), language: id < 58 ? 'en' : 'de', scope: 'domain_global' },
      visibility: id === 59 ? 'internal' : 'public',
    }));
    const { service } = answering(['docs.example.com'], () => ({}), entries);
    const { know } = createKnowledge(service, 'de');
    const page = await know('https://docs.example.com/', undefined);
    assert.equal(page.entries[0]?.title, '58');
    assert.equal(page.entries.length, 51);
    assert.equal(page.isCut, true, 'there is more than the service lists');
  });
});
