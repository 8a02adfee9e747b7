import assert from 'node:assert/strict';
import { builtExtension } from '../../src/extension/extension.routes.js';
import { existsSync } from 'node:fs';
import { callApi } from '../support/api-client.js';
import { serveTestApp, type TestApp } from '../support/test-app.js';

/** What browsers send when somebody opens an address. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';

describe('The root address of the server', () => {
  let test: TestApp & { url: string };

  before(async () => {
    test = await serveTestApp();
  });
  after(() => test.close());

  const open = (accept: string, path = '/', method = 'GET') =>
    fetch(test.url + path, { method, headers: { Accept: accept } });

  it('shows a browser a page about the server, with the security headers of the API documentation', async () => {
    const response = await open(browser);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(response.headers.get('vary') ?? '', /\bAccept\b/);
    const docs = await open(browser, '/api/docs');
    for (const name of [
      ...['content-security-policy', 'x-content-type-options', 'x-frame-options'],
      ...['referrer-policy', 'cross-origin-resource-policy', 'cache-control'],
    ])
      assert.equal(response.headers.get(name), docs.headers.get(name), name);
    const page = await response.text();
    assert.match(page, /This server answers questions/);
    assert.doesNotMatch(page, /\{\{|<script|<style|\sstyle=|\son\w+=|data:/i);
    assert.equal((await open(browser, '/?utm_source=mail&utm_source=x')).status, 200);
    const head = await open(browser, '/', 'HEAD');
    assert.deepEqual([head.status, await head.text()], [200, '']);
  });

  it('links only to existing pages of the server', async () => {
    const page = await (await open(browser)).text();
    const targets = [...page.matchAll(/\shref="([^"]*)"/g)].map(([, target = '']) => target);
    for (const target of ['/api/docs', '/api/openapi.json', '/widget/v1/assistant.js'])
      assert.ok(targets.includes(target), target);
    for (const target of targets) {
      // The extension's zip may not be built yet when these tests run.
      if (target.startsWith('/extension/') && !existsSync(builtExtension())) continue;
      assert.equal((await fetch(test.url + target)).status, 200, target);
    }
  });

  it('answers 404 to a program, as an unknown path does', async () => {
    for (const accept of ['*/*', 'application/json', 'application/problem+json', 'image/png']) {
      const response = await open(accept);
      assert.equal(response.status, 404, accept);
      assert.equal(response.headers.get('content-type'), 'application/problem+json');
      assert.match(response.headers.get('vary') ?? '', /\bAccept\b/);
      const problem = (await response.json()) as { code: string; detail: string };
      assert.equal(problem.code, 'not_found');
      assert.equal(problem.detail, 'There is nothing at /.');
    }
    const posted = await callApi<{ code: string }>(`${test.url}/`, { method: 'POST', body: {} });
    assert.equal(posted.status, 405);
  });
});
