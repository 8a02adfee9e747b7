import assert from 'node:assert/strict';
import { pages } from '../../src/backoffice/serve-backoffice.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { connectTo } from '../support/raw-http.js';
import { openPageClient, type PageClient } from './support/page-client.js';

describe('The pages of the backoffice', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ben: TestUser;
  let browser: PageClient;

  before(async () => {
    test = await serveTestApp({});
    acme = await addOrganization(test);
    ben = await addUser(test, acme, 'backoffice');
    browser = openPageClient(test.url);
    await browser.signIn(ben);
  });
  after(() => test.close());

  it('allow only their own scripts, styles and forms, and are never cached', async () => {
    const { headers, text } = await browser.open('/me');
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "script-src 'self'", "form-action 'self'"])
      assert.ok(policy.includes(rule), rule);
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.deepEqual(
      ['referrer-policy', 'cache-control', 'cross-origin-opener-policy'].map((name) =>
        headers.get(name),
      ),
      ['same-origin', 'no-store', 'same-origin'],
    );
    assert.doesNotMatch(text, /\sstyle=|\son\w+=|<script(?! type="module" src=)/);
  });

  it('accept changes only from pages of this server', async () => {
    const own = { 'sec-fetch-site': 'same-origin' };
    const { host } = new URL(test.url);
    const change = (headers: Record<string, string>) =>
      browser.send('/me', { do: 'endSession', family: 'none' }, headers);
    for (const [headers, expected] of [
      [own, 303],
      [{ ...own, origin: 'null' }, 303],
      [{ origin: `http://${host}` }, 303],
      [{}, 403],
      [{ origin: 'null' }, 403],
      [{ origin: 'https://evil.example' }, 403],
      [{ origin: `http://${host}.evil.example` }, 403],
      [{ 'sec-fetch-site': 'cross-site', origin: `http://${host}` }, 403],
      [{ 'sec-fetch-site': 'same-site', origin: `http://${host}` }, 403],
      [{ 'sec-fetch-site': 'none', origin: `http://${host}` }, 403],
    ] as const) {
      const { status } = await change(headers);
      assert.equal(status, expected, JSON.stringify(headers));
    }
  });

  it('refuse a change of another site before reading its body', async () => {
    const { socket, until } = await connectTo(test.url);
    const head = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000';
    socket.write(`POST /backoffice/me HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\nd`);
    await until(/^HTTP\/1.1 403 /);
    socket.destroy();
  });

  it('show an error as a page with its sentence and the request’s id', async () => {
    const { status, headers, text } = await browser.open('/nothing');
    assert.equal(status, 404);
    assert.match(headers.get('content-type') ?? '', /^text\/html/);
    assert.match(text, /<h1>There is no such page\.<\/h1>/);
    assert.ok(text.includes(`<code>${headers.get('x-request-id') ?? ''}</code>`));
    assert.match(text, /<title>Error: /);
    const elsewhere = await fetch(`${test.url}/nothing`);
    assert.match(elsewhere.headers.get('content-type') ?? '', /problem\+json/);
  });

  it('lead to the sign-in without a session', async () => {
    const stranger = openPageClient(test.url);
    for (const { path, access } of pages) {
      if (access === 'anyone' || path.includes(':')) continue;
      const { status, to } = await stranger.open(path === '/' ? '' : path);
      assert.deepEqual([status, to.split('?')[0]], [303, '/backoffice/sign-in'], path);
    }
  });

  it('show all faults of a form, and keep the typed fields', async () => {
    const { status, text } = await browser.send('/me', {
      ...{ do: 'save', display_name: ' ', language: 'fr', time_zone: 'Nowhere', appearance: '' },
    });
    assert.equal(status, 400);
    assert.match(text, /href="#save-display_name"/);
    assert.match(text, /href="#save-language"/);
    assert.match(text, /value="Nowhere"/);
    assert.match(text, /aria-invalid="true"/);
  });

  it('show names as plain text', async () => {
    const name = `<img src=x onerror="alert(1)"> & ' {{7*7}} \u202e`;
    const form = { do: 'save', display_name: name, language: '', time_zone: '', appearance: '' };
    assert.equal((await browser.send('/me', form)).status, 303);
    const { text } = await browser.open('/me');
    assert.ok(text.includes('&lt;img src=x onerror=&quot;alert(1)&quot;>'));
    assert.ok(!text.includes('<img'));
  });

  it('refuse a form that is too large, malformed, of another type or without an action', async () => {
    const type = 'application/x-www-form-urlencoded';
    const post = (body: string, contentType = type) =>
      fetch(`${test.url}/backoffice/me`, {
        ...{ method: 'POST', body },
        headers: {
          ...{ 'content-type': contentType, 'sec-fetch-site': 'same-origin' },
          cookie: `assistant=${browser.cookies.get('assistant') ?? ''}`,
        },
      }).then(({ status }) => status);
    assert.equal(await post(`do=save&display_name=${'x'.repeat(1_100_000)}`), 413);
    assert.equal(await post('do=save&display_name=%zz'), 400);
    assert.equal(await post('do=save&display_name=%00'), 400);
    assert.equal(await post('x=1&'.repeat(2000)), 400);
    assert.equal(await post('{}', 'application/json'), 415);
    assert.equal(await post('do=constructor'), 400);
    assert.equal(await post(''), 400);
  });

  it('serve their files compressed, under names with a hash, to be cached forever', async () => {
    const { text } = await browser.open('/me');
    const files = [...text.matchAll(/\/backoffice(\/assets\/[^"]+)/g)].map(
      (match) => match[1] ?? '',
    );
    assert.equal(files.length, 3);
    for (const file of files) {
      const plain = await browser.open(file, { 'accept-encoding': 'identity' });
      assert.equal(plain.headers.get('content-encoding'), null);
      for (const encoding of ['br', 'gzip']) {
        const answer = await browser.open(file, { 'accept-encoding': encoding });
        assert.equal(answer.status, 200);
        assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
        assert.equal(answer.headers.get('content-encoding'), encoding);
        assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
        assert.equal(answer.text, plain.text);
      }
    }
    assert.equal((await browser.open('/assets/pdfjs/standard_fonts/FoxitFixed.pfb')).status, 200);
    const others = ['..%2f..%2fpackage.json', 'pdfjs/standard_fonts/x', 'pdfjs/..%2f/pdf.mjs'];
    for (const file of others) {
      assert.equal((await browser.open(`/assets/${file}`)).status, 404, file);
    }
  });

  it('are in the person’s language, or else in the browser’s', async () => {
    const german = { 'accept-language': 'de-AT, en;q=0.5' };
    assert.match((await browser.open('/me', german)).text, /<html lang="de"/);
    const form = { do: 'save', display_name: 'Ben', time_zone: 'Europe/Madrid' };
    await browser.send('/me', { ...form, language: 'es', appearance: 'dark' });
    const { text } = await browser.open('/me', german);
    assert.match(text, /<html lang="es" data-appearance="dark"/);
    assert.match(text, /<h1>Mi cuenta<\/h1>/);
  });
});
