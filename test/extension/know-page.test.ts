import assert from 'node:assert/strict';
import { createKnowPage } from '../../src/extension/browser/panel/know-page.js';
import { ServiceError, type Service } from '../../src/extension/browser/service/service.js';

const key = 'wk_live_0000000000000000';
const app = { id: 7, name: 'Acme app' };
const link = { id: 3, app_id: 7, app_name: 'Acme app', external_id: 'paula' };

/** A service that has registered these hosts, and answers so about a key. */
function answering(hosts: string[], links: () => object) {
  const asked: URL[] = [];
  const json = (_method: string, path: string) => {
    const url = new URL(path, 'http://service');
    asked.push(url);
    if (url.pathname === '/api/account-links') return Promise.resolve().then(links);
    const { host } = new URL(url.searchParams.get('url') ?? '');
    const domain = { name: host, isRegistered: hosts.includes(host) };
    return Promise.resolve({ contents: [], domain });
  };
  const told = () => asked.map(({ searchParams }) => searchParams.get('url') ?? '').join(' ');
  return { asked, told, service: { json } as unknown as Service };
}

describe('What the extension asks of a page', () => {
  it('tells the service which site it is that declares a key, and believes what it says of both', async () => {
    const { service, asked } = answering(['docs.example.com'], () => ({
      ...{ data: [link], app, linkable: true },
    }));
    const page = await createKnowPage(service)('https://docs.example.com/a?b=1', key);
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
      const { links } = await createKnowPage(service)(address, key);
      assert.deepEqual(links, { app, isLinkable: false, link: undefined }, address);
    }
    const unknown = createKnowPage(answering(['evil.example'], refuse('not_found')).service);
    const { links } = await unknown('http://evil.example/', key);
    assert.equal(links?.isLinkable, false);
    const offline = createKnowPage(answering(['evil.example'], refuse('offline')).service);
    await assert.rejects(offline('http://evil.example/', key), { code: 'offline' });
  });

  it('tells of a site that is not registered the host alone, whatever another service has registered', async () => {
    const known = answering(['docs.example.com'], () => ({}));
    const first = createKnowPage(known.service);
    assert.equal(
      (await first('https://docs.example.com/where/she/is', undefined)).isRegistered,
      true,
    );
    assert.match(known.told(), /where\/she\/is/);
    const other = answering([], () => ({}));
    const second = createKnowPage(other.service);
    assert.equal(
      (await second('https://docs.example.com/where/she/is', undefined)).isRegistered,
      false,
    );
    assert.equal(other.told(), 'https://docs.example.com/');
  });
});
