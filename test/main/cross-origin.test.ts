import assert from 'node:assert/strict';
import { callApi } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import { addOrganization, addUser, serveTestApp, type TestApp } from '../support/test-app.js';
import { addWidgetKey } from '../support/widget-keys.js';

describe('A page of another origin', () => {
  let test: TestApp & { url: string };
  let token: string;
  const listed = 'https://console.example.com';
  const stranger = 'https://evil.example';
  const page = '/api/knowledge/page?url=https://acme.example/';

  before(async () => {
    test = await serveTestApp({ server: { cors_origins: [listed] } });
    token = (await addUser(test, await addOrganization(test), 'user')).token;
  });
  after(() => test.close());

  const call = (path: string, origin: string, options: object = {}) =>
    callApi(`${test.url}${path}`, { ...options, headers: { Origin: origin } });
  const preflight = (path: string, origin: string, method = 'PUT') =>
    fetch(`${test.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });
  const allowed = (headers: Headers) => headers.get('access-control-allow-origin');

  it('may call the API with a token, and read errors and limits, if its origin is listed', async () => {
    for (const [path, options, status] of [
      ['/api/conversations', { token }, 200],
      ['/api/conversations', {}, 401],
      ['/api/nothing', {}, 404],
      ['/api/auth/login', {}, 405],
      ['/api/auth/login', { body: '{' }, 400],
      ['/api/%', {}, 400],
    ] as const) {
      const reply = await call(path, listed, options);
      assert.equal(reply.status, status, path);
      assert.equal(allowed(reply.headers), listed, path);
      assert.equal(reply.headers.get('vary'), 'Origin', path);
      const exposed = reply.headers.get('access-control-expose-headers') ?? '';
      for (const name of ['ETag', 'Location', 'RateLimit', 'Retry-After', 'X-Request-Id']) {
        assert.ok(exposed.split(', ').includes(name), name);
      }
      assert.equal(reply.headers.get('access-control-allow-credentials'), null);
    }
  });

  it('gets the allowed methods and headers by a preflight request if its origin is listed', async () => {
    const { status, headers } = await preflight('/api/conversations', listed);
    assert.equal(status, 204);
    assert.equal(allowed(headers), listed);
    assert.equal(headers.get('access-control-allow-methods'), 'GET, HEAD, POST, PUT, DELETE');
    assert.match(headers.get('access-control-allow-headers') ?? '', /Authorization.*If-Match/);
    assert.equal(headers.get('access-control-max-age'), '7200');
    assert.equal(headers.get('access-control-allow-credentials'), null);
    assert.match(headers.get('vary') ?? '', /^Origin, Access-Control-Request-Method/);
  });

  it('may not call the API if its origin is not listed, or only resembles a listed one', async () => {
    for (const origin of [
      stranger,
      'https://console.example.com.evil.example',
      'https://evilconsole.example.com',
      'http://console.example.com',
      'https://console.example.com:8443',
      'null',
    ]) {
      const reply = await call('/api/conversations', origin, { token });
      assert.equal(allowed(reply.headers), null, origin);
      assert.equal(reply.headers.get('vary'), 'Origin');
      assert.equal(allowed((await preflight('/api/conversations', origin)).headers), null, origin);
    }
  });

  it('may query public knowledge of a page, but not with a token', async () => {
    const { status, headers } = await call(page, stranger);
    assert.equal(status, 200);
    assert.equal(allowed(headers), '*');
    const asked = await preflight(page, stranger, 'GET');
    assert.equal(asked.status, 204);
    assert.equal(asked.headers.get('access-control-allow-methods'), 'GET, HEAD');
    const names = asked.headers.get('access-control-allow-headers') ?? '';
    assert.ok(names.includes('X-Widget-Key') && !names.includes('Authorization'));
    assert.equal(allowed((await call('/api/knowledge/page/x', stranger)).headers), null);
  });

  it('may use a widget key of its own app, but not of another app', async () => {
    const acme = await addOrganization(test, 'Keys');
    const key = await addWidgetKey(test, acme, 'authenticated');
    await storeEntry(test, acme, {
      title: 'Members',
      content: 'For members.',
      visibility: 'authenticated',
    });
    const own = `https://${acme.domain}`;
    const read = (origin?: string) =>
      callApi<{ code?: string; contents?: unknown[] }>(
        `${test.url}/api/knowledge/page?url=${own}/`,
        { key, headers: origin === undefined ? {} : { Origin: origin } },
      );
    for (const origin of [undefined, own, listed]) {
      const { status, body } = await read(origin);
      assert.deepEqual([status, body.contents?.length], [200, 1], origin);
    }
    for (const origin of [stranger, `https://not-${acme.domain}`, 'null']) {
      const { status, body, headers } = await read(origin);
      assert.deepEqual([status, body.code], [403, 'origin_not_allowed'], origin);
      assert.equal(allowed(headers), '*', 'the page can read why');
    }
  });

  it('may not read answers outside the API', async () => {
    for (const path of ['/health/live', '/metrics', '/']) {
      assert.equal(allowed((await call(path, listed)).headers), null, path);
    }
  });

  it('is not listed by default', async () => {
    const plain = await serveTestApp();
    try {
      const { headers } = await callApi(`${plain.url}/api/conversations`, {
        headers: { Origin: listed },
      });
      assert.equal(allowed(headers), null);
    } finally {
      await plain.close();
    }
  });

  it('can’t frame, sniff, embed or cache an answer, and gets HSTS behind a trusted proxy', async () => {
    for (const path of ['/api/nothing', '/health/live', page]) {
      const { headers } = await call(path, stranger);
      const csp = "default-src 'none'; frame-ancestors 'none'";
      assert.equal(headers.get('content-security-policy'), csp, path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('x-frame-options'), 'DENY');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-powered-by'), null);
    }
    const https = { headers: { 'X-Forwarded-Proto': 'https' } };
    const hsts = async (url: string) =>
      (await callApi(`${url}/health/live`, https)).headers.get('strict-transport-security');
    assert.equal(await hsts(test.url), null, 'anybody can claim to come by HTTPS');
    const proxied = await serveTestApp({ server: { trust_proxy: 1 } });
    try {
      assert.equal(await hsts(proxied.url), 'max-age=15552000');
    } finally {
      await proxied.close();
    }
  });
});
