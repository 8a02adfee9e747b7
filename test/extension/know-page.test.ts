import assert from 'node:assert/strict';
import { createKnowledge } from '../../src/extension/browser/panel/know-page.js';
import { ServiceError, type Service } from '../../src/extension/browser/service/service.js';

const key = 'wk_live_0000000000000000';
const app = { id: 7, name: 'Acme app' };
const link = { id: 3, app_id: 7, app_name: 'Acme app', external_id: 'paula' };

/** A service that has registered these hosts, and answers so about a key. */
function answering(hosts: string[], links: () => object, contents: { language: string }[] = []) {
  const asked: URL[] = [];
  const json = (_method: string, path: string) => {
    const url = new URL(path, 'http://service');
    asked.push(url);
    if (url.pathname === '/api/account-links') return Promise.resolve().then(links);
    const { host } = new URL(url.searchParams.get('url') ?? '');
    const domain = { name: host, isRegistered: hosts.includes(host) };
    const language = url.searchParams.get('language');
    assert.equal(url.searchParams.get('own'), 'true', 'those of other organizations do not count');
    const read = contents.filter((entry) => language === null || entry.language === language);
    return Promise.resolve({ contents: read.slice(0, 50), domain });
  };
  const told = () => asked.map(({ searchParams }) => searchParams.get('url') ?? '').join(' ');
  return { asked, told, service: { json } as unknown as Service };
}

describe('What the extension asks of a page', () => {
  it('tells the service which site it is that declares a key, and believes what it says of both', async () => {
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

  it('offers no link on a registered site of another app, on localhost, or for a key of nobody here', async () => {
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

  it('tells of a site that is not registered the host alone, whatever another service has registered', async () => {
    const known = answering(['docs.example.com'], () => ({}));
    const first = createKnowledge(known.service, 'en').know;
    assert.equal((await first('https://docs.example.com/where/she/is', undefined)).isOwn, true);
    assert.match(known.told(), /where\/she\/is/);
    const other = answering([], () => ({}));
    const second = createKnowledge(other.service, 'en').know;
    assert.equal((await second('https://docs.example.com/where/she/is', undefined)).isOwn, false);
    assert.equal(other.told(), 'https://docs.example.com/');
  });

  it('is listed with what belongs to the page first, and the reader’s language first in both', async () => {
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

  it('is listed in the reader’s language, however much there is in others', async () => {
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
