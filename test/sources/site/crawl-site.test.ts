import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { gzipSync } from 'node:zlib';
import { crawl, page, startSite, type StandInSite } from './stand-in-site.js';

describe('A crawl of a website', () => {
  let site: StandInSite;
  const open = async (pages: StandInSite['pages']) => (site = await startSite(pages));
  afterEach(() => site.close());

  it('brings the pages below the start address that are linked, nearest first, each once', async () => {
    await open({
      '/docs/': page('Docs', 'install.html', '/docs/use/', '/blog/', 'https://elsewhere.example/'),
      '/docs/install.html': page('Install', 'use/', 'install.html#linux', 'mailto:a@b.example'),
      '/docs/use/': page('Use', 'deep/').replace('<title>Use', '<title>My Docs — Use'),
      '/docs/use/deep/': page('Deep', '/docs/use/?utm_source=mail', '/docs/index.html'),
    });
    const { brought, report, pages } = await crawl(`${site.url}docs/`);
    assert.deepEqual(brought, [
      'new /docs/',
      'new /docs/install.html',
      'new /docs/use/',
      'new /docs/use/deep/',
    ]);
    assert.deepEqual(
      pages.map(({ title }) => title),
      ['Docs', 'Install', 'Use', 'Deep'],
    );
    assert.equal(pages[1]?.contentType, 'text/html');
    assert.match(Buffer.from(pages[1].bytes ?? []).toString(), /<h1>Install/);
    assert.deepEqual(report.pages, { new: 4, changed: 0, moved: 0, unchanged: 0, gone: 0 });
    assert.equal(report.endedBy, undefined);
    assert.equal(new Set(site.paths()).size, 4);
  });

  it('goes as deep, and reads as many addresses, as it may', async () => {
    await open({
      '/': page('Zero', '/1'),
      '/1': page('One', '/2'),
      '/2': page('Two', '/3'),
      '/3': page('Three'),
    });
    assert.deepEqual((await crawl(site.url, { depth: 1 })).brought, ['new /', 'new /1']);
    const { brought, report } = await crawl(site.url, { mostPages: 3 });
    assert.deepEqual(brought, ['new /', 'new /1', 'new /2']);
    assert.equal(report.endedBy, 'pages');
  });

  it('reads only what the patterns let in', async () => {
    await open({
      '/': page('Home', '/docs/a', '/docs/old/b', '/help/c', '/news/d'),
      '/docs/a': page('A'),
      '/help/c': page('C'),
    });
    const include = ['/docs/*', '/help/*'];
    const { brought } = await crawl(site.url, { include, exclude: ['*/old/*'] });
    assert.deepEqual(brought, ['new /', 'new /docs/a', 'new /help/c']);
    assert.deepEqual(site.paths().length, 4);
  });

  it('brings texts in UTF-8 whose header states another encoding', async () => {
    const headers = { 'content-type': 'text/html; charset=windows-1251' };
    const body = Buffer.from(
      '<h1>\xd0\xee\xf3\xf2\xe5\xf0 Router</h1><p>Text of the page.</p>',
      'latin1',
    );
    await open({ '/': { body, headers } });
    const { pages } = await crawl(site.url);
    assert.match(Buffer.from(pages[0]?.bytes ?? []).toString(), /<h1>Роутер Router</);
  });

  it('takes HTML, Markdown, plain text and PDF, and says what it leaves out', async () => {
    await open({
      '/': page('Home', '/a.md', '/b.txt', '/c.pdf', '/d.png', '/e.md', '/f', '/g'),
      '/a.md': { body: '# A', headers: { 'content-type': 'text/markdown' } },
      '/b.txt': { body: 'Plain', headers: { 'content-type': 'text/plain' } },
      '/c.pdf': { body: '%PDF-1.4 c', headers: { 'content-type': 'application/pdf' } },
      '/d.png': { body: 'png', headers: { 'content-type': 'image/png' } },
      '/e.md': { body: '# E', headers: { 'content-type': 'application/octet-stream' } },
      '/f': { body: '%PDF-1.4 f' },
      '/g': { body: 'no\0text' },
    });
    const { pages, leftOut } = await crawl(site.url);
    assert.deepEqual(
      pages.slice(1).map(({ contentType }) => contentType),
      ['text/markdown', 'text/plain', 'application/pdf', 'text/markdown', 'application/pdf'],
    );
    assert.deepEqual(leftOut, ['content_type /d.png', 'content_type /g']);
  });

  describe('honours robots.txt:', () => {
    it('the group of its own name, with wildcards', async () => {
      await open({
        '/robots.txt':
          'User-agent: *\nDisallow: /\n\nUser-agent: assistant\nDisallow: /private/\nDisallow: /*.pdf$\n',
        '/': page('Home', '/private/a', '/open', '/x.pdf'),
        '/open': page('Open'),
      });
      const { brought, leftOut } = await crawl(site.url);
      assert.deepEqual(brought, ['new /', 'new /open']);
      assert.deepEqual(leftOut, ['robots /private/a', 'robots /x.pdf']);
      assert.deepEqual(site.paths().sort(), ['/', '/', '/open']);
      assert.equal(
        site.asked[0]?.headers['user-agent'],
        'Assistant/1.0 (+https://assistant.example)',
      );
    });

    it('a site that forbids all, or can’t say', async () => {
      await open({ '/robots.txt': 'User-agent: *\nDisallow: /', '/': page('Home') });
      await assert.rejects(crawl(site.url), { code: 'unprocessable', message: /robots\.txt/ });
      site.pages['/robots.txt'] = { status: 500 };
      await assert.rejects(crawl(site.url), { code: 'unprocessable', message: /answers 500/ });
      assert.deepEqual(site.paths(), []);
    });

    it('its pause between requests', async () => {
      await open({
        '/robots.txt': 'User-agent: *\nCrawl-delay: 7',
        '/': page('Home', '/a'),
        '/a': page('A'),
      });
      const { pauses } = await crawl(site.url);
      // No time passes in this test, so that each request waits for those before it, too.
      const steps = pauses.map((ms, index) => Math.round((ms - (pauses[index - 1] ?? 0)) / 1000));
      assert.deepEqual(new Set(steps), new Set([7]));
    });

    it('a file of 10 MB, of which the first 500 KiB count', async () => {
      const long = `User-agent: *\nDisallow: /no\n${'# filler\n'.repeat(60_000)}`;
      await open({
        '/robots.txt': `${long}Disallow: /\n${'# filler\n'.repeat(1_200_000)}`,
        '/': page('Home', '/no', '/yes'),
        '/yes': page('Yes'),
      });
      const { brought, leftOut } = await crawl(site.url);
      assert.deepEqual(brought, ['new /', 'new /yes']);
      assert.deepEqual(leftOut, ['robots /no']);
    });

    it('no file that would cost too much for each address', async () => {
      const rules = `Disallow: /${'*a'.repeat(40_000)}\n`;
      await open({ '/robots.txt': `User-agent: *\n${rules}`, '/': page('Home') });
      await assert.rejects(crawl(site.url), { code: 'unprocessable', message: /too many/ });
    });
  });

  it('honours noindex and nofollow of pages, links and headers', async () => {
    await open({
      '/': `${page('Home', '/meta', '/header', '/other')}<a rel="nofollow" href="/unfollowed">x</a>`,
      '/meta': `<meta name="Robots" content="noindex">${page('Meta', '/from-meta')}`,
      '/from-meta': `<meta name="assistant" content="NOFOLLOW">${page('From meta', '/no')}`,
      '/header': { body: page('Header', '/no'), headers: { 'x-robots-tag': 'none' } },
      '/other': {
        body: page('Other', '/from-other'),
        headers: { 'x-robots-tag': 'otherbot: noindex, nofollow' },
      },
      '/from-other': page('From other'),
    });
    const { brought, leftOut } = await crawl(site.url);
    assert.deepEqual(brought, ['new /', 'new /other', 'new /from-meta', 'new /from-other']);
    assert.deepEqual(leftOut, ['noindex /meta', 'noindex /header']);
  });

  it('reads site maps first: an index, a packed one, a list', async () => {
    await open({});
    const xml = (name: string, entries: string) =>
      `<?xml version="1.0"?><${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</${name}>`;
    const at = (path: string) => `${site.url}${path}`;
    Object.assign(site.pages, {
      '/robots.txt': `Sitemap: ${at('maps.xml')}\nSitemap: ${at('list.txt')}`,
      '/maps.xml': xml(
        'sitemapindex',
        `<sitemap><loc>${at('one.xml.gz')}</loc></sitemap><sitemap><loc>${at('maps.xml')}</loc></sitemap>`,
      ),
      '/one.xml.gz': {
        body: gzipSync(
          xml(
            'urlset',
            `<url><loc> ${at('a?x=1&amp;y=2')} </loc><image:image><image:loc>${at('picture')}</image:loc></image:image></url><url><loc>https://elsewhere.example/</loc></url>`,
          ),
        ),
        headers: { 'content-type': 'application/gzip' },
      },
      '/list.txt': { body: `${at('b')}\n`, headers: { 'content-type': 'text/plain' } },
      '/': page('Home'),
      '/a?x=1&y=2': page('A'),
      '/b': page('B'),
    });
    const { brought } = await crawl(site.url);
    assert.deepEqual(brought, ['new /', 'new /b', 'new /a?x=1&y=2']);
  });

  it('takes the canonical address of a page, and its content once', async () => {
    const named = (path: string) => `<link rel="canonical" href="${path}">`;
    await open({
      '/': page('Home', '/a?sort=up', '/b', '/b-copy', '/c'),
      '/a?sort=up': `${named('/a')}${page('A')}`,
      '/a': `${named('/a')}${page('A')}`,
      '/b': page('B'),
      '/b-copy': `<!-- other -->${page('B')}`,
      '/c': `${named('https://elsewhere.example/c')}${page('C')}`,
    });
    const { brought, leftOut, report } = await crawl(site.url);
    assert.deepEqual(brought, ['new /', 'new /b', 'new /c', 'new /a']);
    assert.deepEqual(leftOut, ['canonical /a?sort=up', 'duplicate /b-copy']);
    assert.equal(report.leftOut[1]?.detail, `${site.url}b`);
  });

  it('follows redirects within the site, and reports those that leave it or run in circles', async () => {
    const to = (location: string, status = 302) => ({ status, headers: { location } });
    await open({
      '/': page('Home', '/moved', '/slash', '/out', '/circle', '/refresh', '/log'),
      '/moved': to('/new-place', 301),
      '/new-place': page('New place'),
      '/slash': to('/slash/'),
      '/slash/': page('Slash'),
      '/out': to('https://elsewhere.example/page'),
      '/circle': to('/circle-2'),
      '/circle-2': to('/circle'),
      '/refresh': '<meta http-equiv="refresh" content="0; url=/fresh">',
      '/fresh': page('Fresh'),
      '/log': to('https://login.example.com/sign-in?back=/log'),
    });
    const { brought, leftOut } = await crawl(site.url);
    assert.deepEqual(brought, ['new /', 'new /slash/', 'new /new-place', 'new /fresh']);
    assert.deepEqual(leftOut, [
      'other_site /out',
      'canonical /refresh',
      'sign_in /log',
      'redirects /circle-2',
    ]);
  });

  it('reports sign-in walls and pages that only a browser can show', async () => {
    await open({
      '/': page('Home', '/401', '/403', '/form', '/app', '/wiki'),
      '/401': { status: 401, body: page('Secret') },
      '/403': { status: 403 },
      '/form': '<title>Sign in</title><form><input name="u"><input type="password"></form>',
      '/app': '<title>App</title><div id="root"></div><script src="/app.js"></script>',
      '/wiki': `${page('Wiki')}${'<p>Long text of a page.</p>'.repeat(100)}<input type="password">`,
    });
    const { brought, leftOut } = await crawl(site.url);
    assert.deepEqual(brought, ['new /', 'new /wiki']);
    assert.deepEqual(leftOut, [
      'sign_in /401',
      'sign_in /403',
      'sign_in /form',
      'client_rendered /app',
    ]);
  });

  it('asks again later when the site is busy, and less often from then on', async () => {
    let asked = 0;
    await open({
      '/': page('Home', '/busy', '/after'),
      '/busy': (ctx) => {
        asked++;
        if (asked === 3) return void (ctx.body = page('Busy'));
        ctx.status = asked === 1 ? 429 : 503;
        ctx.set('retry-after', asked === 1 ? '30' : new Date(Date.now() + 90_000).toUTCString());
      },
      '/after': page('After'),
    });
    const { brought, pauses } = await crawl(site.url);
    assert.deepEqual(brought, ['new /', 'new /busy', 'new /after']);
    assert.ok(
      pauses.some((ms) => ms > 25_000 && ms <= 30_000),
      pauses.join(),
    );
    assert.ok(
      pauses.some((ms) => ms > 60_000 && ms <= 90_000),
      pauses.join(),
    );
    assert.equal(asked, 3);
  });

  it('stays off private addresses, unless they are allowed', async () => {
    await open({ '/': page('Home') });
    const refused = { code: 'unprocessable', message: /public/ };
    await assert.rejects(crawl(site.url, { allowPrivate: false }), refused);
    // A name of this machine is looked up when the connection is made.
    for (const host of ['localhost', '[::1]', '169.254.169.254', '10.0.0.1', hostname()]) {
      const address = `http://${host}:${site.port}/`;
      await assert.rejects(crawl(address, { allowPrivate: false }), refused, host);
    }
    assert.equal(site.asked.length, 0);
  });

  it('refuses an address that is none, and a start that can’t be read', async () => {
    await open({ '/closed': { status: 403 } });
    for (const address of ['', 'ftp://example.com/', 'file:///etc/passwd', 'http://']) {
      await assert.rejects(crawl(address), { code: 'invalid_request' }, address);
    }
    const failed = { code: 'unprocessable', message: /answers 404/ };
    await assert.rejects(crawl(site.url), failed);
    await assert.rejects(crawl(`${site.url}closed`), { message: /asks for a sign-in/ });
    site.pages['/'] = { status: 302, headers: { location: 'https://elsewhere.example/' } };
    await assert.rejects(crawl(site.url), { message: /leads to https:\/\/elsewhere\.example\// });
  });
});
