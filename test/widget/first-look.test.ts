import assert from 'node:assert/strict';
import { callApi } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { addKeyWithSecret, addUserToken, addWidgetKey } from '../support/widget-keys.js';

interface Config {
  app: { id: number; name: string };
  organization: { name: string };
  identity: { kind: string; displayName: string | null; hasEmail: boolean };
  visitorToken?: string;
  limits: { messageLength: number; messagesAtOnce: number };
  unread: number;
}
interface Page {
  status: string;
  contents: { title: string; content?: string }[];
  suggestions: string[];
  app: { id: number | null };
}

describe('What the widget loads before the first question', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  const origin = 'https://acme.example';

  beforeEach(async () => {
    test = await serveTestApp();
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const config = (headers: Record<string, string>, page = origin) =>
    callApi<Config>(`${test.url}/widget/config`, { headers: { Origin: page, ...headers } });

  it('returns the app, its organization, the limits and a visitor token to a visitor', async () => {
    const key = await addWidgetKey(test, acme, 'public');
    const { status, body, headers } = await config({ 'X-Widget-Key': key });
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body, visitorToken: '' },
      {
        app: { id: acme.appId, name: 'Acme app' },
        organization: { name: 'Acme' },
        identity: { kind: 'visitor', displayName: null, hasEmail: false },
        visitorToken: '',
        limits: { messageLength: 8000, messagesAtOnce: 4 },
        sendsMail: false,
        unread: 0,
      },
    );
    assert.equal(headers.get('access-control-allow-origin'), origin);
    const again = await config({ 'X-Widget-Key': key, 'X-Visitor-Token': body.visitorToken ?? '' });
    assert.equal(again.status, 200);
  });

  it('returns the name of an end user, with or without a key of the app', async () => {
    const host = await addKeyWithSecret(test, acme);
    const token = await addUserToken(test, host, { externalId: 'ada', displayName: 'Ada' });
    for (const more of [{}, { 'X-Widget-Key': host.key.key }]) {
      const { body } = await config({ Authorization: `Bearer ${token}`, ...more });
      assert.deepEqual(body.identity, { kind: 'end_user', displayName: 'Ada', hasEmail: false });
      assert.equal(body.visitorToken, undefined);
    }
  });

  it('answers only pages of the app that show valid credentials', async () => {
    const key = await addWidgetKey(test, acme, 'public');
    const globex = await addOrganization(test, 'Globex');
    const revoked = await addWidgetKey(test, acme, 'public', { revoked: true });
    assert.equal((await config({ 'X-Widget-Key': key }, `https://${globex.domain}`)).status, 403);
    assert.equal((await config({ 'X-Widget-Key': revoked })).status, 401);
    assert.equal((await config({})).status, 401);
    const nowhere = await callApi(`${test.url}/widget/config`, { key });
    assert.equal(nowhere.body.code, 'origin_required');
    const own = await callApi(`${test.url}/widget/config`, {
      ...{ key, headers: { 'Sec-Fetch-Site': 'same-origin' } },
    });
    assert.equal(own.status, 200);
  });

  it('lists at most ten titles that the reader may see on the page, without their texts', async () => {
    for (let n = 1; n <= 12; n += 1) {
      await storeEntry(test, acme, { title: `Title ${n}`, content: 'A long text.' });
    }
    const members = {
      title: 'For members',
      content: 'Secret',
      visibility: 'authenticated',
    } as const;
    await storeEntry(test, acme, { ...members, urlPattern: '/members' });
    const page = async (kind: 'public' | 'authenticated', url = `${origin}/members`) => {
      const key = await addWidgetKey(test, acme, kind);
      const path = `/widget/page?url=${encodeURIComponent(url)}`;
      return callApi<Page>(test.url + path, { key, headers: { Origin: origin } });
    };
    const open = (await page('public')).body;
    assert.equal(open.status, 'available');
    assert.equal(open.contents.length, 10);
    assert.ok(open.contents.every((one) => one.title.startsWith('Title')));
    assert.doesNotMatch(JSON.stringify(open), /A long text/);
    const signedIn = (await page('authenticated')).body;
    assert.equal(signedIn.contents[0]?.title, 'For members');
    const ofSite = ['Title 12', 'Title 11', 'Title 10', 'Title 9'];
    assert.deepEqual([open.suggestions, signedIn.suggestions], [ofSite, ['For members']]);
    assert.equal((await page('public', 'no address')).status, 400);
    const foreign = (await page('authenticated', 'https://elsewhere.example/')).body;
    assert.equal(foreign.status, 'unregistered');
  });

  it('lists only entries in the requested language', async () => {
    const urlPattern = '/invoices';
    const german = { title: 'Wie bezahle ich eine Rechnung?', content: 'Öffnen Sie die Rechnung.' };
    const english = { title: 'How do I pay an invoice?', content: 'Open the invoice and pay it.' };
    await storeEntry(test, acme, { ...german, urlPattern });
    await storeEntry(test, acme, { ...english, urlPattern });
    const key = await addWidgetKey(test, acme, 'public');
    const titles = async (more: string) => {
      const path = `/widget/page?url=${encodeURIComponent(`${origin}/invoices`)}${more}`;
      const { status, body } = await callApi<Page>(test.url + path, {
        ...{ key, headers: { Origin: origin } },
      });
      return status === 200 ? body.contents.map(({ title }) => title).sort() : status;
    };
    assert.deepEqual(await titles(''), [english.title, german.title]);
    assert.deepEqual(await titles('&language=de'), [german.title]);
    assert.deepEqual(await titles('&language=en'), [english.title]);
    assert.deepEqual(await titles('&language=es'), []);
    assert.equal(await titles('&language=fr'), 400);
  });
});
