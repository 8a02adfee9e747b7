import assert from 'node:assert/strict';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import { createView } from '../../src/tenancy/manage-views.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { callApi } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

interface PageBody {
  status: string;
  code: string;
  errors: { path: string }[];
  contents: { title: string }[];
  domain: { name: string; isRegistered: boolean };
}

describe('The address in a page query', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let viewId: number;

  before(async () => {
    test = await serveTestApp();
    acme = await addOrganization(test, 'Acme', 'docs.example.com');
    const add = (title: string, domain: string, urlPattern: string | null = null) =>
      storeEntry(test, { ...acme, domain }, { title, content: `${title}.`, urlPattern });
    const claim = (host: string, appId = acme.appId) =>
      claimDomain(test.app, acme.operator, { host, appId });
    await claim('*.wild.example');
    await claim('*.deep.wild.example');
    await claim('bücher.example');
    await add('install', 'docs.example.com', '/install');
    await add('invoice', 'docs.example.com', '/invoices/:id');
    await add('cheese', 'docs.example.com', '/käse und brot');
    await add('slash', 'docs.example.com', '/files/a%2Fb');
    await add('files', 'docs.example.com', '/files/:folder/:file');
    await add('percent', 'docs.example.com', '/100%');
    await add('root', 'docs.example.com', '/');
    await add('below', '*.wild.example', '/x');
    await add('far below', '*.deep.wild.example', '/x');
    await add('books', 'bücher.example'.replace('bücher', 'xn--bcher-kva'), '/x');
    const view = { appId: acme.appId, path: '/invoices/:id', title: 'Invoice' };
    viewId = (await createView(test.app, acme.operator, view)).id;
    const text = { title: 'the view', content: 'The view.' };
    await storeEntry(test, { ...acme, domain: 'docs.example.com' }, { ...text, viewId });
  });
  after(() => test.close());

  const query = (parameters: Record<string, string>) =>
    callApi<PageBody>(
      `${test.url}/api/knowledge/page?${new URLSearchParams(parameters).toString()}`,
    );
  const titles = async (url: string, more: Record<string, string> = {}) => {
    const { status, body } = await query({ url, ...more });
    assert.equal(status, 200, url);
    return body.contents.map(({ title }) => title);
  };

  const same: [string, string[]][] = [
    ['https://docs.example.com/install', ['install']],
    ['http://docs.example.com/install', ['install']],
    ['HTTPS://DOCS.Example.COM/install', ['install']],
    ['https://docs.example.com:8443/install', ['install']],
    ['https://docs.example.com./install', ['install']],
    ['https://docs.example.com/install/', ['install']],
    ['https://docs.example.com/install///', ['install']],
    ['https://docs.example.com/install?version=2&lang=de', ['install']],
    ['https://docs.example.com/install#step-3', ['install']],
    ['https://docs.example.com/install/?a=/b#/c', ['install']],
    ['https://docs.example.com/%69nstall', ['install']],
    ['https://docs.example.com/a/../install', ['install']],
    ['https://user:word@docs.example.com/install', ['install']],
    ['https://docs.example.com/Install', []],
    ['https://docs.example.com//install', []],
    ['https://docs.example.com', ['root']],
    ['https://docs.example.com/?q=1#top', ['root']],
    ['https://docs.example.com/invoices/42', ['invoice']],
    ['https://docs.example.com/invoices/42/', ['invoice']],
    ['https://docs.example.com/invoices/a%20b', ['invoice']],
    ['https://docs.example.com/invoices', []],
    ['https://docs.example.com/invoices/42/lines', []],
    ['https://docs.example.com/k%C3%A4se%20und%20brot', ['cheese']],
    ['https://docs.example.com/käse und brot', ['cheese']],
    ['https://docs.example.com/files/a%2Fb', ['slash']],
    ['https://docs.example.com/files/a/b', ['files']],
    ['https://docs.example.com/100%', ['percent']],
    ['https://docs.example.com/100%25', ['percent']],
    ['https://a.wild.example/x', ['below']],
    ['https://A.B.WILD.example:99/x', ['below']],
    ['https://a.deep.wild.example/x', ['far below', 'below']],
    ['https://bücher.example/x', ['books']],
    ['https://BÜCHER.example/x', ['books']],
    ['https://xn--bcher-kva.example/x', ['books']],
    ['https://b%C3%BCcher.example/x', ['books']],
  ];
  for (const [url, expected] of same) {
    it(`${url} finds ${expected.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await titles(url), expected);
    });
  }

  it('is unregistered if its host only resembles a registered one', async () => {
    const similar = ['wild.example', 'notwild.example', 'docs.example.com.evil.example'];
    for (const host of [...similar, 'www.docs.example.com', 'docs.example.co', '127.0.0.1']) {
      const { body } = await query({ url: `https://${host}/x` });
      assert.deepEqual(
        [body.status, body.domain],
        ['unregistered', { name: host, isRegistered: false }],
      );
    }
  });

  it('ranks below the view that the page names, by path or id', async () => {
    const url = 'https://docs.example.com/invoices/42';
    assert.deepEqual(await titles(url), ['invoice']);
    const paths = ['/invoices/:id', '/invoices/:id/', '/invoices/:id?tab=1', '/invoices/:id#x'];
    for (const view_path of [...paths, ' /invoices/:id ', '/%69nvoices/:id']) {
      assert.deepEqual(await titles(url, { view_path }), ['the view', 'invoice'], view_path);
    }
    assert.deepEqual(await titles(url, { view_id: String(viewId) }), ['the view', 'invoice']);
    assert.deepEqual(await titles('https://docs.example.com/elsewhere', { view_id: `${viewId}` }), [
      'the view',
    ]);
  });

  it('counts alone if the view is unknown or belongs to another app', async () => {
    const url = 'https://docs.example.com/invoices/42';
    const { id: appId } = await createApp(test.app, acme.operator, { name: 'Other' });
    const other = await createView(test.app, acme.operator, { appId, path: '/o', title: 'O' });
    assert.deepEqual(await titles(url, { view_path: '/nowhere' }), ['invoice']);
    assert.deepEqual(await titles(url, { view_path: '/o' }), ['invoice']);
    assert.deepEqual(await titles(url, { view_id: String(other.id) }), ['invoice']);
    assert.deepEqual(await titles(url, { view_id: '9007199254740991' }), ['invoice']);
  });

  it('is refused with 400 if it is invalid, and so is an invalid view', async () => {
    const bad: [Record<string, string>, string][] = [
      [{ url: 'docs.example.com/install' }, 'url'],
      [{ url: '/install' }, 'url'],
      [{ url: 'ftp://docs.example.com/' }, 'url'],
      [{ url: 'https://' }, 'url'],
      [{ url: 'https://docs.example.com:99999/' }, 'url'],
      [{ url: `https://docs.example.com/${'x'.repeat(4100)}` }, 'url'],
      [{}, 'url'],
      [{ url: 'https://docs.example.com/', view_id: '9007199254740993' }, 'view_id'],
      [{ url: 'https://docs.example.com/', view_id: '1e400' }, 'view_id'],
      [{ url: 'https://docs.example.com/', view_id: 'x' }, 'view_id'],
      [{ url: 'https://docs.example.com/', view_path: '' }, 'view_path'],
      [{ url: 'https://docs.example.com/', view_path: `/${'x'.repeat(1000)}` }, 'view_path'],
    ];
    for (const [parameters, path] of bad) {
      const { status, body } = await query(parameters);
      assert.deepEqual([status, body.errors[0]?.path], [400, path], JSON.stringify(parameters));
    }
  });

  it('causes no internal error, however unusual it is', async () => {
    const odd = [
      ...['https://docs.example.com/\u0000', 'https://docs.example.com/%00', 'https://[::1]/x'],
      ...['https://docs.example.com/\ud800', 'https://xn--/x', 'https://docs.example.com/%'],
      ...['https://0x7f.1/', `https://${'a'.repeat(300)}.example/`, 'https://a..b/'],
    ];
    for (const url of odd) {
      const { status } = await query({ url });
      assert.ok(status === 200 || status === 400, `${url}: ${status}`);
    }
  });
});
