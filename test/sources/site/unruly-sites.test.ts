import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { crawl, page, startSite, type StandInSite } from './stand-in-site.js';

describe('A crawl of an unruly site', () => {
  let site: StandInSite;
  const open = async (pages: StandInSite['pages']) => (site = await startSite(pages));
  /** A site that makes up a page for each address. */
  const openEndless = async (answer: (path: string) => string) => {
    const pages = new Proxy<StandInSite['pages']>(
      {},
      {
        get: (_target, path) =>
          /robots|sitemap/.test(String(path)) ? undefined : answer(String(path)),
      },
    );
    return open(pages);
  };
  afterEach(() => site.close());

  it('ends in a calendar that never ends', async () => {
    await openEndless((path) => page(`Day ${path}`, `${path}next/`, `/?day=${path.length}`));
    const { report, leftOut } = await crawl(site.url, { mostPages: 40, depth: 1000 });
    assert.equal(report.endedBy, 'pages');
    assert.equal(site.paths().length, 41);
    const byQuery = site.paths().filter((path) => path.startsWith('/?'));
    assert.ok(byQuery.length <= 10, `${byQuery.length}`);
    assert.ok(leftOut.some((line) => line.startsWith('query /?day=')));
  });

  it('ends where each address redirects to another one', async () => {
    let number = 0;
    await open({ '/': page('Home', '/r0') });
    site.pages = new Proxy(site.pages, {
      get: (target, path) =>
        target[String(path)] ??
        (/^\/r\d/.test(String(path))
          ? { status: 302, headers: { location: `/r${++number}` } }
          : undefined),
    });
    const { leftOut } = await crawl(site.url);
    assert.deepEqual(leftOut, ['redirects /r5']);
    assert.equal(number, 6);
  });

  it('follows no redirect into a private network', async () => {
    await open({
      '/': page('Home', '/meta', '/file'),
      '/meta': { status: 302, headers: { location: 'http://169.254.169.254/latest/' } },
      '/file': { status: 302, headers: { location: 'file:///etc/passwd' } },
    });
    const { leftOut, brought } = await crawl(site.url);
    assert.deepEqual(brought, ['new /']);
    assert.deepEqual(leftOut, ['other_site /meta', 'http_status /file']);
  });

  it('takes no page above the size, nor one that unpacks to more', async () => {
    await open({
      '/': page('Home', '/huge', '/bomb', '/small'),
      '/huge': 'x'.repeat(300_000),
      '/bomb': {
        body: gzipSync(Buffer.alloc(100_000_000)),
        headers: { 'content-encoding': 'gzip' },
      },
      '/small': page('Small'),
    });
    const { brought, leftOut, report } = await crawl(site.url, { mostPageBytes: 200_000 });
    assert.deepEqual(brought, ['new /', 'new /small']);
    assert.deepEqual(leftOut, ['too_large /huge', 'too_large /bomb']);
    assert.ok(report.bytes < 2_000_000, `${report.bytes}`);
  });

  it('ends when all pages together are too large', async () => {
    await openEndless((path) => page(`Page ${path}`, `${path}next/`) + 'x'.repeat(10_000));
    const { report } = await crawl(site.url, { mostBytes: 100_000, depth: 1000 });
    assert.equal(report.endedBy, 'bytes');
    assert.ok(report.pages.new <= 11, `${report.pages.new}`);
  });

  it('waits for a slow answer only so long', async () => {
    let isOver = () => {};
    await open({
      '/': page('Home', '/slow', '/after'),
      '/slow': (ctx) => {
        ctx.respond = false;
        ctx.res.writeHead(200, { 'content-type': 'text/html' });
        ctx.res.write('<p>');
        isOver();
      },
      '/after': page('After'),
    });
    const timeout = (late: () => void) => {
      isOver = late;
      return () => {};
    };
    const { brought, leftOut } = await crawl(site.url, { timeout });
    assert.deepEqual(brought, ['new /', 'new /after']);
    assert.deepEqual(leftOut, ['timeout /slow']);
  });

  it('stops asking a site that is down', async () => {
    const links = Array.from({ length: 30 }, (_, index) => `/p${index}`);
    await open({ '/': page('Home', ...links) });
    site.pages = new Proxy(site.pages, {
      get: (target, path) =>
        String(path) === '/robots.txt' || String(path) === '/sitemap.xml'
          ? undefined
          : (target[String(path)] ?? { status: 503 }),
    });
    const { report } = await crawl(site.url);
    assert.equal(report.endedBy, 'failures');
    assert.equal(report.counts.http_status, 10);
  });

  it('stops when it is cancelled, and keeps what it has', async () => {
    await openEndless((path) => page(`Page ${path}`, `${path}next/`));
    const stop = new AbortController();
    let count = 0;
    const { report, brought } = await crawl(site.url, {
      signal: stop.signal,
      onPage: () => {
        if (++count === 3) stop.abort();
        return undefined;
      },
    });
    assert.equal(report.endedBy, 'cancelled');
    assert.equal(brought.length, 3);
  });

  it('reads pages nested without an end, and of one enormous line', async () => {
    await open({
      '/': page('Home', '/deep', '/wide'),
      '/deep': `<title>Deep</title><a href="/from-deep">x</a>${'<b>'.repeat(1_000_000)}`,
      '/wide': `<title>Wide</title><p ${'a="b" '.repeat(200_000)}>${'word '.repeat(200_000)}`,
      '/from-deep': page('From deep'),
    });
    const { brought } = await crawl(site.url);
    assert.deepEqual(brought, ['new /', 'new /deep', 'new /wide', 'new /from-deep']);
  });

  it('reads a map that holds rubbish, a bomb, or itself', async () => {
    await open({
      '/robots.txt': '',
      '/': page('Home', '/a'),
      '/a': page('A'),
    });
    const map = (body: string | Uint8Array) => ({ body, headers: { 'content-type': 'text/xml' } });
    for (const body of [
      '<urlset><url><loc>http://[::</loc></url><url><loc>',
      `<!DOCTYPE x [<!ENTITY a "&b;&b;"><!ENTITY b SYSTEM "file:///etc/passwd">]><urlset><url><loc>&a;</loc></url></urlset>`,
      gzipSync(Buffer.alloc(80_000_000)),
      '\u0000\u0001',
      `<sitemapindex><sitemap><loc>${site.url}sitemap.xml</loc></sitemap></sitemapindex>`,
    ]) {
      site.pages['/sitemap.xml'] = map(body);
      assert.deepEqual((await crawl(site.url)).brought, ['new /', 'new /a']);
    }
  });

  it('asks no other host for what a map names, and ends when the maps are too large', async () => {
    await open({ '/': page('Home') });
    const other = await startSite({});
    const index = (...maps: string[]) =>
      `<sitemapindex>${maps.map((map) => `<sitemap><loc>${map}</loc></sitemap>`).join('')}</sitemapindex>`;
    try {
      site.pages['/sitemap.xml'] = index(`${other.url}evil.xml`, `${site.url}more.xml`);
      site.pages['/more.xml'] = { status: 302, headers: { location: `${other.url}moved.xml` } };
      await crawl(site.url);
      assert.deepEqual(other.asked, []);
      const large = (name: string) => `${site.url}large-${name}.xml`;
      site.pages['/sitemap.xml'] = index(...Array.from({ length: 50 }, (_, at) => large(`${at}`)));
      const pages = site.pages;
      site.pages = new Proxy(pages, {
        get: (target, path) =>
          String(path).startsWith('/large')
            ? `<urlset>${' '.repeat(50_000)}`
            : target[String(path)],
      });
      const { report } = await crawl(site.url, { mostBytes: 200_000 });
      assert.equal(report.endedBy, 'bytes');
      assert.ok(report.bytes < 300_000, `${report.bytes}`);
    } finally {
      await other.close();
    }
  });

  it('survives answers that are no HTTP, and lengths that are lies', async () => {
    await open({});
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
    const answers: Record<string, string> = {
      '/': `${head}Connection: close\r\n\r\n${page('Home', '/short', '/long', '/rubbish', '/header')}`,
      '/short': `${head}Content-Length: 5\r\n\r\n${page('Short')}`,
      '/long': `${head}Content-Length: 500000\r\n\r\n${page('Long')}`,
      '/rubbish': '\u0000\u0001 rubbish\r\n\r\n',
      '/header': `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`,
    };
    const server = createServer((socket: Socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (data) => {
        const path = data.toString('latin1').split(' ')[1] ?? '';
        socket.end(
          answers[path] ?? 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n',
          'latin1',
        );
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const { report, brought } = await crawl(`http://127.0.0.1:${port}/`);
      assert.equal(brought[0], 'new /');
      assert.ok((report.counts.unreachable ?? 0) >= 3, JSON.stringify(report.leftOut));
    } finally {
      server.close();
    }
  });
});
