import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findHeadlessBrowser } from '../../browser/support/find-browser.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { crawl, startSite, type StandInSite } from './stand-in-site.js';

describe('A page that is empty until its scripts run', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let site: StandInSite;
  let browser: string;

  before(async function () {
    // Windows has no such scripts.
    if (process.platform === 'win32') this.skip();
    folder = await makeTemporaryFolder();
    // Tests may run as root, where the sandbox does not work.
    const { executablePath = chromium.executablePath() } = findHeadlessBrowser();
    browser = join(folder.path, 'browser');
    await writeFile(browser, `#!/bin/sh\nexec '${executablePath}' --no-sandbox "$@"\n`);
    await chmod(browser, 0o755);
  });
  after(() => folder.remove());
  afterEach(() => site.close());

  const shell =
    '<!doctype html><title>App</title><div id="app"></div><script src="/app.js"></script>';
  const type = { 'content-type': 'text/javascript' };
  const script = `
    const at = location.pathname;
    fetch('/api' + at).then((answer) => answer.json()).then(({ title, text, links }) => {
      document.title = title;
      document.querySelector('#app').innerHTML = '<h1>' + title + '</h1><p>' + text + '</p>' +
        links.map((link) => '<a href="' + link + '">' + link + '</a>').join(' ');
    });`;
  const answer = (title: string, ...links: string[]) => ({
    body: JSON.stringify({ title, text: `${title} is told in words. `.repeat(8), links }),
    headers: { 'content-type': 'application/json' },
  });
  const open = async () => {
    site = await startSite({
      ...{ '/': shell, '/oil': shell, '/app.js': { body: script, headers: type } },
      ...{ '/api/': answer('Pump', '/oil'), '/api/oil': answer('Oil') },
    });
  };

  it('is left out without a browser', async () => {
    await open();
    assert.deepEqual((await crawl(site.url)).leftOut, ['client_rendered /']);
  });

  it('is read as its readers see it, at the pace of the site, and asked for again each time', async () => {
    await open();
    const first = await crawl(site.url, { browser });
    assert.deepEqual(first.brought, ['new /', 'new /oil']);
    const [home] = first.pages;
    assert.equal(home?.title, 'Pump');
    assert.match(Buffer.from(home.bytes ?? []).toString(), /<h1>Pump<\/h1>/);
    // A script that several pages have is asked for once.
    assert.equal(site.paths().filter((path) => path === '/app.js').length, 1);
    const agents = new Set(site.asked.map(({ headers }) => headers['user-agent']));
    assert.deepEqual([...agents], ['Assistant/1.0 (+https://assistant.example)']);
    site.pages['/api/oil'] = answer('New oil');
    const second = await crawl(site.url, { browser, known: first.known });
    assert.deepEqual(second.brought, ['unchanged /', 'changed /oil']);
  });

  it('reaches nothing but what the crawler fetches for it', async () => {
    await open();
    const other = await startSite({ '/secret': 'secret' });
    // robots.txt goes for its scripts too, and nothing is sent.
    site.pages['/robots.txt'] = 'User-agent: *\nDisallow: /api/closed';
    const tries = `
      const url = '${other.url}secret';
      const post = fetch(url, { method: 'POST', body: 'x', mode: 'no-cors' });
      const closed = fetch('/api/closed');
      const image = new Image(); image.src = url + '?image';
      const socket = new WebSocket(url.replace('http', 'ws'));
      const file = fetch('file:///etc/passwd');
      Promise.allSettled([post, closed, file, new Promise((end) => { socket.onclose = socket.onerror = end; })])
        .then((all) => {
          const ends = all.map(({ status }) => status).join(' ');
          document.querySelector('#app').innerHTML = '<p>' + ends + ' ' + 'words '.repeat(40) + '</p>';
        });`;
    site.pages['/app.js'] = { body: tries, headers: type };
    const { pages } = await crawl(site.url, { browser });
    const html = Buffer.from(pages[0]?.bytes ?? []).toString();
    assert.match(html, /<p>rejected rejected rejected fulfilled/);
    assert.deepEqual(other.asked, []);
    assert.ok(!site.paths().includes('/api/closed'));
    await other.close();
  });

  it('is left out when it never comes to rest, and ends the run when the browser does not start', async () => {
    await open();
    site.pages['/app.js'] = { body: 'for (;;);', headers: type };
    const { leftOut } = await crawl(site.url, { browser, pageTimeoutMs: 3000 });
    assert.deepEqual(leftOut, ['client_rendered /']);
    const missing = crawl(site.url, { browser: join(folder.path, 'none') });
    await assert.rejects(missing, /sources\.browser does not start: .*none\. No program is there/);
    // It runs no scripts without a sandbox, and says what the operator can do.
    const rootless = join(folder.path, 'rootless');
    const complaint = 'Running as root without --no-sandbox is not supported.';
    await writeFile(rootless, `#!/bin/sh\necho '${complaint}' >&2\nexit 1\n`, { mode: 0o755 });
    const refused = crawl(site.url, { browser: rootless });
    await assert.rejects(refused, /Chromium has no sandbox.*Without a sandbox, no scripts are run/);
  });
});
