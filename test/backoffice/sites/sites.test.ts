import assert from 'node:assert/strict';
import { createWidgetKey, getWidgetKey } from '../../../src/federation/manage-widget-keys.js';
import { createTestClock } from '../../support/test-clock.js';
import { createApp } from '../../../src/tenancy/manage-apps.js';
import { listDomainsPage } from '../../../src/tenancy/manage-domains.js';
import { listViewsPage } from '../../../src/tenancy/manage-views.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('The pages of sites and widget keys', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let other: TestOrganization;
  let ada: PageClient;

  before(async () => {
    test = await serveTestApp({ server: { public_url: 'https://help.acme.example' } });
    acme = await addOrganization(test);
    other = await addOrganization(test, 'Other');
    ada = openPageClient(test.url);
    await ada.signIn(await addUser(test, acme, 'admin'));
  });
  after(() => test.close());

  const makeKey = (of: TestOrganization, name = 'Website') =>
    createWidgetKey(test.app, of.operator, { appId: of.appId, kind: 'public', name });
  const appPage = () => `/sites/apps/${acme.appId}`;
  const domains = async () => {
    const { items } = await listDomainsPage(test.app, acme.operator, { page: 1, limit: 100 });
    return items;
  };

  it('are for admins only, and show nothing of another organization', async () => {
    const ben = openPageClient(test.url);
    await ben.signIn(await addUser(test, acme, 'backoffice'));
    const { key } = await makeKey(acme);
    const own = ['/sites', appPage(), '/sites/keys/new', `/sites/keys/${key.id}`, '/sites/preview'];
    for (const path of own) {
      assert.equal((await ben.open(path)).status, 404, path);
      assert.equal((await ada.open(path)).status, 200, path);
    }
    assert.doesNotMatch((await ben.open('')).text, /\/sites/);
    const theirs = await makeKey(other, 'Theirs');
    for (const path of [`/sites/apps/${other.appId}`, `/sites/keys/${theirs.key.id}`]) {
      assert.equal((await ada.open(path)).status, 404, path);
    }
    const answer = await ada.send(`/sites/keys/${theirs.key.id}`, { do: 'rotate', overlap: '0' });
    assert.equal(answer.status, 404);
    assert.doesNotMatch((await ada.open('/sites')).text, /Theirs|other\.example/);
  });

  it('take the host name from an address that is pasted as a domain', async () => {
    const host = 'https://Pasted.Acme.example/shop?a=1';
    const { to } = await ada.send(appPage(), { do: 'claim', host });
    assert.match(to, /done=domainAdded/);
    assert.ok((await domains()).some(({ host }) => host === 'pasted.acme.example'));
  });

  it('need no secret for a public widget, and show the tag first', async () => {
    const form = { do: 'make', app_id: String(acme.appId), name: 'Tag first', title: '' };
    const look = { ...{ greeting: '', suggestions: '', theme: 'auto', language: '' }, logo: '' };
    const make = async (kind: string) => {
      const sent = { ...form, ...look, kind, position: 'bottom-right' };
      const { text } = await ada.send('/sites/keys/new', sent);
      return [text.indexOf('id="tag"'), text.indexOf('id="secret"')];
    };
    const [tag = 0, secret = 0] = await make('public');
    assert.ok(tag > 0 && secret > tag, `${tag} ${secret}`);
    const [later = 0, first = 0] = await make('authenticated');
    assert.ok(first > 0 && later > first, `${first} ${later}`);
  });

  it('ask for the password before creating a key or a secret, ten minutes after it was typed', async () => {
    const clock = createTestClock();
    const later = await serveTestApp({}, clock);
    try {
      const { appId, ...own } = await addOrganization(later);
      const admin = await addUser(later, { appId, ...own }, 'admin');
      const browser = openPageClient(later.url);
      await browser.signIn(admin);
      const given = { appId, kind: 'authenticated', name: 'Website' } as const;
      const { key } = await createWidgetKey(later.app, own.operator, given);
      clock.advance(601_000);
      const make = { do: 'make', name: 'Another', app_id: String(appId), kind: 'authenticated' };
      const forms = [
        ['/sites/keys/new', make],
        [`/sites/keys/${key.id}`, { do: 'rotate', overlap: '0' }],
      ] as const;
      for (const [path, form] of forms) {
        const { text } = await browser.send(path, form);
        assert.match(text, /name="held"/, path);
        assert.doesNotMatch(text, /id="secret"/, path);
      }
      const [{ count } = { count: 0 }] = await later.app.db
        .read<Record<string, unknown>>('widget_keys')
        .count<{ count: number }[]>({ count: '*' });
      assert.equal(count, 1);
      const [[path, form]] = forms;
      const [, held = ''] =
        /name="held" value="([^"]+)"/.exec((await browser.send(path, form)).text) ?? [];
      const shown = await browser.send(path, { held, current_password: admin.password });
      assert.match(shown.text, /id="secret"/);
    } finally {
      await later.close();
    }
  });

  it('create, edit and delete an app, whose name must be typed', async () => {
    const made = await ada.send('/sites', { do: 'create', name: 'Docs' });
    assert.match(made.to, /\/sites\/apps\/\d+\?done=appMade$/);
    const path = made.to.replace(/^.*backoffice|\?.*$/g, '');
    const taken = await ada.send('/sites', { do: 'create', name: 'Docs' });
    assert.equal(taken.status, 409);
    assert.match(taken.text, /value="Docs"/);
    const internal = { default_knowledge_visibility: 'internal' };
    await ada.send(path, { do: 'save', name: 'Handbook', ...internal });
    assert.match((await ada.open(path)).text, /<h1>Handbook<\/h1>.*value="internal" selected/s);
    const wrong = await ada.send(path, { do: 'delete', typed: 'Docs' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /typed: must be Handbook/);
    assert.equal((await ada.send(path, { do: 'delete', typed: 'Handbook' })).status, 303);
    assert.equal((await ada.open(path)).status, 404);
  });

  it('add, move and release a domain', async () => {
    const host = 'www.acme-shop.example';
    assert.match((await ada.send(appPage(), { do: 'claim', host })).to, /done=domainAdded/);
    assert.match((await ada.open(appPage())).text, /www\.acme-shop\.example/);
    const again = await ada.send(appPage(), { do: 'claim', host });
    assert.equal(again.status, 409);
    assert.match(again.text, /registered by an app already/);
    const public_ = await ada.send(appPage(), { do: 'claim', host: 'co.uk' });
    assert.match(public_.text, /aria-invalid="true"/);
    const second = await createApp(test.app, acme.operator, { name: 'Second' });
    const id = String((await domains()).find((one) => one.host === host)?.id);
    const moved = await ada.send(appPage(), { do: 'move', id, app_id: String(second.id) });
    assert.match(moved.to, new RegExp(`/sites/apps/${second.id}\\?done=domainMoved`));
    await ada.send(`/sites/apps/${second.id}`, { do: 'release', id });
    assert.ok((await domains()).every((one) => one.host !== host));
  });

  it('add, edit and delete a view', async () => {
    await ada.send(appPage(), { do: 'addView', path: '/invoices/:id', title: 'Invoice' });
    const views = await listViewsPage(test.app, acme.operator, { page: 1, limit: 10 });
    const id = String(views.items[0]?.id);
    assert.match((await ada.open(`${appPage()}?view=${id}`)).text, /value="Invoice"/);
    await ada.send(appPage(), { do: 'saveView', id, path: '/invoices/:id', title: 'A bill' });
    assert.match((await ada.open(appPage())).text, /A bill/);
    await ada.send(appPage(), { do: 'deleteView', id });
    assert.doesNotMatch((await ada.open(appPage())).text, /A bill/);
  });

  it('show the secret of a new key once, uncompressed and without caching', async () => {
    const form = {
      ...{ do: 'make', name: 'Shop', app_id: String(acme.appId), kind: 'public' },
      ...{ title: 'Ask "us" & <b>', suggestions: 'Who?\r\n\r\nWhen?', theme: 'dark' },
      ...{ greeting: '', language: 'auto', position: 'bottom-left', logo: 'javascript:1' },
    };
    const headers = { 'sec-fetch-site': 'same-origin', 'accept-encoding': 'gzip' };
    const { status, text, headers: sent } = await ada.send('/sites/keys/new', form, headers);
    assert.equal(status, 200);
    assert.equal(sent.get('content-encoding'), null);
    assert.equal(sent.get('cache-control'), 'no-store');
    const [secret = ''] = /wsk_secret_[\w-]{43}/.exec(text) ?? [];
    assert.notEqual(secret, '');
    const tag = text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    assert.match(tag, /src="https:\/\/help\.acme\.example\/widget\/v1\/assistant\.js"/);
    assert.match(tag, /integrity="sha384-[^"]+" crossorigin="anonymous" data-api-key="wk_live_/);
    assert.match(tag, / data-title="Ask &quot;us&quot; &amp; &lt;b>" data-theme="dark"/);
    assert.match(tag, /data-position="bottom-left" data-suggestions="Who\?\|When\?" async>/);
    assert.doesNotMatch(tag, /data-logo|data-greeting|data-language/);
    assert.match(text, /connect-src https:\/\/help\.acme\.example wss:\/\/help\.acme\.example;/);
    const [, next = ''] = /href="[^"]*?(\/sites\/keys\/\d+\?[^"]*)"/.exec(text) ?? [];
    const page = await ada.open(next.replaceAll('&amp;', '&'));
    assert.match(page.text, /data-theme=(?:"|&quot;)dark/);
    assert.doesNotMatch(page.text, /wsk_secret_/);
  });

  it('refuse a key without a name, and keep the typed fields', async () => {
    const form = { name: ' ', app_id: String(acme.appId), kind: 'public', title: 'Kept' };
    const { status, text } = await ada.send('/sites/keys/new', { do: 'make', ...form });
    assert.equal(status, 400);
    assert.match(text, /value="Kept"/);
    assert.match(text, /sites\/preview\?title=Kept/);
  });

  it('rename a key, rotate its secret, and revoke it after its name is typed', async () => {
    const { key } = await makeKey(acme, 'Old');
    const path = `/sites/keys/${key.id}`;
    await ada.send(path, { do: 'rename', name: 'New' });
    const rotated = await ada.send(path, { do: 'rotate', overlap: '3600' });
    assert.match(rotated.text, /wsk_secret_[\w-]{43}/);
    const { name, secrets } = await getWidgetKey(test.app, acme.operator, key.id);
    assert.deepEqual([name, secrets.length], ['New', 2]);
    assert.equal((await ada.send(path, { do: 'revoke', typed: 'Old' })).status, 400);
    assert.match((await ada.send(path, { do: 'revoke', typed: 'New' })).to, /done=keyRevoked/);
    assert.match((await ada.open(path)).text, /Revoked/);
    assert.equal((await ada.send(path, { do: 'rotate', overlap: '0' })).status, 409);
  });

  it('show the hosts of pages with a key', async () => {
    const { key } = await makeKey(acme, 'Seen');
    assert.match((await ada.open(`/sites/keys/${key.id}`)).text, /No page with it was seen yet/);
    const call = await fetch(`${test.url}/widget/config`, {
      headers: { 'x-widget-key': key.key, origin: `https://${acme.domain}` },
    });
    assert.equal(call.status, 200);
    await test.app.keySightings.settled();
    const { text } = await ada.open(`/sites/keys/${key.id}`);
    assert.match(text, new RegExp(`A page with it was seen at ${acme.domain}`));
    assert.match((await ada.open('/sites')).text, new RegExp(`on ${acme.domain}`));
  });

  it('allow only pages of the service to frame the preview', async () => {
    const { headers, text } = await ada.open('/sites/preview?title=%22%3E%3Cscript%3E&theme=no');
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/);
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN');
    assert.match(text, /data-title="&quot;>&lt;script>" data-api-key="preview"/);
  });
});
