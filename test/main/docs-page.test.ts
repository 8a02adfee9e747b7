import assert from 'node:assert/strict';
import { errorCodes } from '../../src/platform/errors.js';
import { renderDocs } from '../../src/platform/http/docs/render-docs.js';
import type { OpenApiDocument } from '../../src/platform/http/openapi/document.js';
import { callApi } from '../support/api-client.js';
import { describedOperations } from '../support/described-operations.js';
import { serveTestApp, type TestApp } from '../support/test-app.js';

describe('The documentation page of the API', () => {
  let test: TestApp & { url: string };
  let page: string;
  let headers: Headers;
  let document: OpenApiDocument;

  before(async () => {
    test = await serveTestApp();
    const response = await fetch(`${test.url}/api/docs`);
    assert.equal(response.status, 200);
    headers = response.headers;
    page = await response.text();
    document = (await callApi<OpenApiDocument>(`${test.url}/api/openapi.json`)).body;
  });
  after(() => test.close());

  const textOf = (markup: string) =>
    markup
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

  it('is HTML under a Content-Security-Policy without inline code and other hosts', () => {
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  });

  it('shows every operation under its own anchor, with method, path, access and an example', () => {
    const described = describedOperations(document);
    assert.ok(described.size > 20);
    for (const [name, operation] of described) {
      const start = page.indexOf(`id="${operation.operationId}"`);
      assert.ok(start > 0, name);
      const section = textOf(page.slice(start, page.indexOf('</section>', start)));
      const [method = '', path = ''] = name.split(' ');
      const written = path.replaceAll(/:(\w+)/g, '{$1}');
      assert.match(
        section.replaceAll(/\s+/g, ' '),
        new RegExp(`${method} ${written.replaceAll(/[{}.]/g, '\\$&')}`),
      );
      assert.ok(section.includes(operation['x-access']), name);
      assert.ok(section.includes('curl '), name);
      for (const { name: parameter } of operation.parameters ?? []) {
        assert.ok(section.includes(parameter), `${name} ${parameter}`);
      }
      for (const code of operation['x-refusals'])
        assert.ok(section.includes(code), `${name} ${code}`);
    }
  });

  it('shows the fields of bodies and answers, nested ones by their dotted path', () => {
    const start = page.indexOf('id="postConversationsMessage"');
    const section = textOf(page.slice(start, page.indexOf('</section>', start)));
    for (const field of [
      'message',
      'context.url',
      'context.forms[].fields[].label',
      'sources[].title',
    ]) {
      assert.ok(section.includes(field), field);
    }
  });

  it('lists every error code', () => {
    for (const code of Object.keys(errorCodes))
      assert.ok(page.includes(`id="error-${code}"`), code);
  });

  it('has no links to other hosts or missing anchors, and no inline styles or scripts', async () => {
    assert.doesNotMatch(page, /<script|<style|\sstyle=|\son\w+=|javascript:/i);
    for (const [, target = ''] of page.matchAll(/\s(?:href|src|action)="([^"]*)"/g)) {
      assert.match(target, /^[#/](?!\/)/);
      if (target.startsWith('#')) assert.ok(page.includes(`id="${target.slice(1)}"`), target);
      else assert.equal((await fetch(test.url + target)).status, 200, target);
    }
    const style = await fetch(`${test.url}/api/docs/style.css`);
    assert.equal(style.headers.get('content-type'), 'text/css; charset=utf-8');
    assert.doesNotMatch(await style.text(), /url\(|@import/);
  });

  it('has unique anchors', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('escapes HTML in descriptions', () => {
    const [path = ''] = Object.keys(document.paths);
    const evil = '<script>alert("x")</script>';
    const summary = JSON.stringify(document.paths[path]).replaceAll(
      /"summary":"[^"]*"/g,
      `"summary":${JSON.stringify(evil)}`,
    );
    const changed = {
      ...document,
      paths: { [path]: JSON.parse(summary) as OpenApiDocument['paths'][string] },
    };
    const rendered = renderDocs(changed, '{{navigation}}{{content}}');
    assert.ok(!rendered.includes('<script>'));
    assert.ok(textOf(rendered).includes(evil));
  });
});
