import assert from 'node:assert/strict';
import { hostOfOrigin } from '../../src/tenancy/app-of-origin.js';
import { normalizeHost, parsePageUrl } from '../../src/tenancy/page-address.js';
import { callApi, type CallOptions } from '../support/api-client.js';
import { addOrganization, addUser, serveTestApp, type TestApp } from '../support/test-app.js';
import { openWidget } from '../support/widget-client.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';

/** A host name of `length` characters, in labels of one character. */
const hostOf = (length: number) => 'a.'.repeat(length / 2) + 'a'.repeat(length % 2);
const longest = hostOf(253);
/** As long as a header may be. */
const long = `https://${hostOf(14_001)}`;
/** As long as the address of a page may be. */
const page = `https://${hostOf(4001)}/`;

describe('A host name that is too long for DNS', () => {
  let test: TestApp & { url: string };
  let key: string;
  let token: string;
  let userToken: string;
  /** The largest number of values in a database query. */
  let values = 0;

  before(async () => {
    test = await serveTestApp();
    const acme = await addOrganization(test);
    const pair = await addKeyWithSecret(test, acme);
    key = pair.key.key;
    token = (await addUser(test, acme, 'backoffice')).token;
    userToken = await addUserToken(test, pair);
    for (const db of [test.app.db.read, test.app.db.write]) {
      db.on('query', ({ bindings }: { bindings?: unknown[] }) => {
        values = Math.max(values, bindings?.length ?? 0);
      });
    }
  });
  beforeEach(() => (values = 0));
  // Names of up to 253 characters need no more values: the name, and a wildcard for each label above it.
  afterEach(() => assert.ok(values < 150, `a query had ${values} values`));
  after(() => test.close());

  const call = (path: string, options: CallOptions) => callApi(`${test.url}${path}`, options);
  const origins = [long, `https://${hostOf(255)}`, `${long}:8443`];

  it('is not parsed as a host, in any spelling', () => {
    assert.equal(hostOfOrigin(`https://${longest}:65535`), longest);
    assert.equal(parsePageUrl(`https://${longest}./a`).host, longest);
    assert.equal(normalizeHost(`*.${longest}.`), `*.${longest}`);
    for (const origin of origins) assert.equal(hostOfOrigin(origin), undefined);
    const written = [page, `https://${longest}a/`, `https://user@${hostOf(255)}/`];
    const letters = '一丁七'.repeat(1000);
    for (const url of [...written, `https://${letters}.example/`, `h\tttps:/\n/${letters}`]) {
      assert.throws(() => parsePageUrl(url), { code: 'invalid_request' }, url.slice(0, 40));
    }
    assert.throws(() => normalizeHost(letters), { code: 'invalid_request' });
  });

  it('is refused as the origin of a widget, without a large query', async () => {
    const wanted = { 'Access-Control-Request-Method': 'POST' };
    for (const origin of origins) {
      const headers = { Origin: origin };
      const asked = await fetch(`${test.url}/widget/message`, {
        method: 'OPTIONS',
        headers: { ...headers, ...wanted },
      });
      assert.equal(asked.headers.get('access-control-allow-origin'), null);
      const config = await call('/widget/config', { key, headers });
      assert.equal(config.body.code, 'origin_not_allowed');
      await assert.rejects(openWidget(test.url, { origin }), { message: '403 origin_not_allowed' });
    }
  });

  it('is refused as the host of a page', async () => {
    const context = { url: page, title: '' };
    const headers = { Origin: 'https://acme.example' };
    const refused = [
      call(`/api/knowledge/page?url=${encodeURIComponent(page)}`, { token }),
      call('/api/conversations/message', { token, body: { message: 'Why?', context } }),
      call('/widget/message', { key, headers, body: { message: 'Why?', context } }),
      call('/api/knowledge/requests', { token, body: { question: 'Why?', url: page } }),
    ];
    for (const [index, { status, body }] of (await Promise.all(refused)).entries()) {
      assert.deepEqual([index, status, body.code], [index, 400, 'invalid_request']);
    }
  });

  it('is refused as the origin of an account link', async () => {
    for (const origin of origins) {
      const body = { widgetKey: key, token: userToken, origin };
      const { status, body: problem } = await call('/api/account-links', { token, body });
      assert.ok(status === 400 || status === 422, String(status));
      assert.equal(problem.errors?.[0]?.path, 'origin');
      const query = new URLSearchParams({ widget_key: key, origin }).toString();
      const listed = await callApi<{ linkable?: boolean }>(
        `${test.url}/api/account-links?${query}`,
        { token },
      );
      // An origin of more than 300 characters is refused before it is looked up.
      const expected = origin.length > 300 ? [400, undefined] : [200, false];
      assert.deepEqual([listed.status, listed.body.linkable], expected);
    }
  });
});
