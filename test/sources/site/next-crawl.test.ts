import assert from 'node:assert/strict';
import type { Context } from 'koa';
import { crawl, page, startSite, type Crawl, type StandInSite } from './stand-in-site.js';

describe('The next crawl of a website', () => {
  let site: StandInSite;
  const open = async (pages: StandInSite['pages']) => (site = await startSite(pages));
  afterEach(() => site.close());

  it('asks for changes only, by ETag and by date', async () => {
    const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
    await open({
      '/': { body: page('Home', '/a', '/b', '/c'), headers: { etag: '"1"' } },
      '/a': { body: page('A', '/from-a'), headers: { etag: 'W/"a"' } },
      '/b': { body: page('B'), headers: { 'last-modified': date } },
      '/c': page('C'),
      '/from-a': page('From A'),
    });
    const first = await crawl(site.url);
    assert.equal(first.report.pages.new, 5);
    site.asked.length = 0;
    site.pages['/c'] = page('C', '/d').replace('words', 'other words');
    site.pages['/d'] = page('D');
    const second = await crawl(site.url, { known: first.known });
    assert.deepEqual(second.brought, [
      'unchanged /',
      'unchanged /a',
      'unchanged /b',
      'changed /c',
      'unchanged /from-a',
      'new /d',
    ]);
    assert.deepEqual(second.pages[0]?.bytes, null);
    const asked = new Map(site.asked.map(({ path, headers }) => [path, headers]));
    assert.equal(asked.get('/a')?.['if-none-match'], 'W/"a"');
    assert.equal(asked.get('/b')?.['if-modified-since'], date);
  });

  it('takes a page for unchanged when only its scripts, tokens and comments differ', async () => {
    const built = (token: string) =>
      `<meta name="csrf-token" content="${token}"><!-- built ${token} --><script nonce="${token}">var t='${token}'</script>${page('Home')}<input type="hidden" value="${token}">`;
    await open({ '/': built('one') });
    const first = await crawl(site.url);
    site.pages['/'] = built('two');
    const second = await crawl(site.url, { known: first.known });
    assert.deepEqual(second.brought, ['unchanged /']);
  });

  it('says which pages are gone, and keeps those that only fail', async () => {
    await open({
      '/': page('Home', '/deleted', '/moved', '/hidden', '/named', '/fails', '/away', '/walled'),
      '/deleted': page('Deleted'),
      '/moved': page('Moved'),
      '/hidden': page('Hidden'),
      '/named': page('Named'),
      '/fails': page('Fails'),
      '/away': page('Away'),
      '/walled': page('Walled'),
    });
    const first = await crawl(site.url);
    Object.assign(site.pages, {
      '/deleted': { status: 410 },
      '/moved': { status: 301, headers: { location: '/target' } },
      '/target': page('Target'),
      '/hidden': `<meta name="robots" content="noindex">${page('Hidden')}`,
      '/named': `<link rel="canonical" href="/target">${page('Named')}`,
      '/fails': { status: 500 },
      '/away': { status: 302, headers: { location: '/target' } },
      '/walled': { status: 401 },
    });
    const second = await crawl(site.url, { known: first.known });
    assert.deepEqual(second.brought, [
      'unchanged /',
      'gone /hidden',
      'gone /named',
      'moved /target',
      'gone /deleted',
    ]);
    assert.deepEqual(
      second.pages.flatMap(({ reason }) => reason ?? []),
      ['noindex', 'canonical', 'not_found'],
    );
    const pages = second.known.filter(({ isPage }) => isPage).map(({ address }) => address);
    assert.ok(pages.includes(`${site.url}fails`) && pages.includes(`${site.url}away`));
    assert.ok(pages.includes(`${site.url}walled`));
  });

  it('finds again what failed the first time, below a page that is unchanged', async () => {
    await open({
      '/': { body: page('Home', '/late'), headers: { etag: '"1"' } },
      '/late': { status: 500 },
    });
    const first = await crawl(site.url);
    assert.deepEqual(first.leftOut, ['http_status /late']);
    site.pages['/late'] = page('Late');
    const second = await crawl(site.url, { known: first.known });
    assert.deepEqual(second.brought, ['unchanged /', 'new /late']);
  });

  it('brings again what could not be stored', async () => {
    await open({ '/': page('Home', '/a'), '/a': { body: page('A'), headers: { etag: '"a"' } } });
    const refuse = ({ address }: { address: string }) =>
      address.endsWith('/a') ? 'no space' : undefined;
    const first = await crawl(site.url, { onPage: refuse });
    assert.deepEqual(first.leftOut, ['refused /a']);
    const second = await crawl(site.url, { known: first.known });
    assert.deepEqual(second.brought, ['unchanged /', 'new /a']);
  });

  it('takes a page whose twin is gone for the same page', async () => {
    await open({ '/': page('Home', '/a', '/b'), '/a': page('Twin'), '/b': page('Twin') });
    const first = await crawl(site.url);
    assert.deepEqual(first.leftOut, ['duplicate /b']);
    site.pages['/a'] = { status: 404 };
    const second = await crawl(site.url, { known: first.known });
    assert.deepEqual(second.brought, ['unchanged /', 'moved /b']);
    assert.equal(second.pages[1]?.movedFrom, `${site.url}a`);
    const third = await crawl(site.url, { known: second.known });
    assert.deepEqual(third.brought, ['unchanged /', 'unchanged /b']);
  });

  describe('follows a page that has moved', () => {
    const text = 'The valve is opened by hand, by a person who has read all of this. '.repeat(3);
    const valve = (link: string) => `<h1>Valve</h1><p>${text}</p><a href="${link}">on</a>`;
    const moves = ({ pages }: Crawl) =>
      pages.flatMap(({ status, movedFrom, address, bytes }) =>
        movedFrom === null
          ? []
          : [
              `${status} ${new URL(movedFrom).pathname} ${new URL(address).pathname} ${bytes === null ? 'same' : 'other'}`,
            ],
      );
    /** A site with a page deep below, which is only found by what is known of it once its link is gone. */
    const openDeep = async () => {
      await open({
        '/': page('Home', '/list'),
        '/list': page('List', '/old'),
        '/old': valve('/x'),
      });
      const first = await crawl(site.url);
      assert.equal(first.report.pages.new, 3);
      // The new address is nearer to the start than the old one.
      site.pages['/'] = page('Home', '/list', '/new');
      site.pages['/list'] = page('List');
      return first;
    };

    it('by a redirect for good, over several addresses, with the same text or another', async () => {
      const first = await openDeep();
      site.pages['/old'] = { status: 301, headers: { location: '/between' } };
      site.pages['/between'] = { status: 308, headers: { location: '/new' } };
      site.pages['/new'] = valve('/x');
      const second = await crawl(site.url, { known: first.known });
      assert.deepEqual(moves(second), ['moved /old /new same']);
      assert.deepEqual([second.report.pages.gone, second.report.pages.new], [0, 0]);
      site.pages['/new'] = { status: 301, headers: { location: '/newest' } };
      site.pages['/newest'] = valve('/x').replace('by hand', 'with a key');
      const third = await crawl(site.url, { known: second.known });
      assert.deepEqual(moves(third), ['moved /new /newest other']);
      const fourth = await crawl(site.url, { known: third.known });
      assert.deepEqual(moves(fourth), []);
      assert.equal(fourth.report.pages.unchanged, 3);
    });

    it('by its canonical address', async () => {
      const first = await openDeep();
      site.pages['/new'] = site.pages['/old'] = `<link rel="canonical" href="/new">${valve('/x')}`;
      const second = await crawl(site.url, { known: first.known });
      assert.deepEqual(moves(second), ['moved /old /new other']);
    });

    it('by its text, where the old address is gone', async () => {
      const first = await openDeep();
      site.pages['/old'] = { status: 404 };
      site.pages['/new'] = valve('/another/link');
      const second = await crawl(site.url, { known: first.known });
      assert.deepEqual(moves(second), ['moved /old /new other']);
      assert.equal(second.report.pages.gone, 0);
      assert.deepEqual(second.leftOut, ['not_found /another/link', 'not_found /x']);
    });

    it('by its text, once a crawl comes as far as its new address; for two weeks, it is not gone', async () => {
      const first = await openDeep();
      site.pages['/old'] = { status: 404 };
      site.pages['/new'] = valve('/x');
      const part = await crawl(site.url, { known: first.known, mostPages: 3 });
      assert.equal(part.report.endedBy, 'pages');
      assert.deepEqual(part.brought, ['changed /', 'changed /list']);
      assert.deepEqual(part.leftOut, ['not_found /old']);
      const whole = await crawl(site.url, { known: part.known });
      assert.deepEqual([moves(whole), whole.leftOut], [['moved /old /new same'], ['not_found /x']]);
      const now = new Date(Date.now() + 15 * 86_400_000);
      const late = await crawl(site.url, { known: part.known, mostPages: 3, now });
      assert.equal(late.report.pages.gone, 1);
    });

    it('to another spelling of its address', async () => {
      const first = await openDeep();
      site.pages['/old'] = { status: 301, headers: { location: '/old/' } };
      site.pages['/old/'] = valve('/x');
      const second = await crawl(site.url, { known: first.known });
      assert.deepEqual(moves(second), ['moved /old /old/ same']);
    });

    it('but not to a spelling that the page does not call its own', async () => {
      const first = await openDeep();
      const named = (own: string) => `<link rel="canonical" href="${own}">${valve('/x')}`;
      site.pages['/old'] = { body: named('/old/'), headers: { etag: '"1"' } };
      site.pages['/sitemap.xml'] = `<urlset><url><loc>${site.url}old</loc></url></urlset>`;
      const second = await crawl(site.url, { known: first.known });
      const third = await crawl(site.url, { known: second.known });
      assert.deepEqual([moves(second), moves(third)], [['moved /old /old/ other'], []]);
      site.pages['/old'] = { status: 301, headers: { location: '/old/' } };
      site.pages['/old/'] = named('/old');
      const fourth = await crawl(site.url, { known: third.known });
      const fifth = await crawl(site.url, { known: fourth.known });
      assert.deepEqual([moves(fourth), moves(fifth)], [['moved /old/ /old other'], []]);
    });

    it('but not to an address that leads back to it', async () => {
      const first = await openDeep();
      site.pages['/new'] = { status: 301, headers: { location: '/old' } };
      site.pages['/old'] = `<link rel="canonical" href="/new">${valve('/y')}`;
      const second = await crawl(site.url, { known: first.known });
      assert.deepEqual([moves(second), second.report.pages.changed], [[], 3]);
      for (const known of [[], second.known]) {
        const next = await crawl(site.url, { known });
        assert.ok(
          next.brought.some((one) => / \/old$/.test(one)),
          next.brought.join(),
        );
        assert.equal(next.report.pages.gone, 0);
      }
    });

    it('but not where two pages become one, and not while the new address fails', async () => {
      const first = await openDeep();
      site.pages['/old'] = { status: 301, headers: { location: '/list' } };
      const merged = await crawl(site.url, { known: first.known });
      assert.deepEqual([moves(merged), merged.report.pages.gone], [[], 1]);
      site.pages['/old'] = { status: 301, headers: { location: '/new' } };
      site.pages['/new'] = { status: 500 };
      const failing = await crawl(site.url, { known: first.known });
      assert.deepEqual([moves(failing), failing.report.pages.gone], [[], 0]);
      site.pages['/new'] = { status: 404 };
      const lost = await crawl(site.url, { known: failing.known });
      assert.deepEqual([moves(lost), lost.report.pages.gone], [[], 1]);
      const after = await crawl(site.url, { known: lost.known });
      assert.equal(after.report.pages.gone, 0);
    });
  });

  it('asks for several pages at once that it knows, and takes them in order', async () => {
    const paths = ['/a', '/b', '/c'];
    let waiting = 0;
    let most = 0;
    let release = () => {};
    const all = new Promise<void>((resolve) => (release = resolve));
    const answer = (text: string, isHeld: boolean) => async (ctx: Context) => {
      most = Math.max(most, ++waiting);
      if (waiting === paths.length) release();
      if (isHeld) await all;
      waiting--;
      ctx.body = page(text);
    };
    await open({ '/': page('Home', ...paths) });
    for (const path of paths) site.pages[path] = answer(path, false);
    const first = await crawl(site.url);
    assert.equal(most, 1);
    for (const path of paths) site.pages[path] = answer(`Another ${path}`, true);
    const second = await crawl(site.url, { known: first.known });
    assert.equal(most, 3);
    const changed = paths.map((path) => `changed ${path}`);
    assert.deepEqual(second.brought, ['unchanged /', ...changed]);
  });

  it('reads no page again whose bytes are the same', async () => {
    await open({ '/': page('Home', '/a'), '/a': page('A', '/from-a'), '/from-a': page('From A') });
    const first = await crawl(site.url);
    site.pages['/'] = { body: page('Home', '/a'), headers: { etag: '"new"' } };
    site.pages['/from-a'] = { body: page('From A'), headers: { 'x-robots-tag': 'noindex' } };
    const second = await crawl(site.url, { known: first.known });
    assert.deepEqual(second.brought, ['unchanged /', 'unchanged /a', 'gone /from-a']);
    const home = second.known.find(({ address }) => address === site.url);
    assert.equal(home?.etag, '"new"');
  });

  it('believes the dates of the site map for some days', async () => {
    await open({});
    const map = (date: string) =>
      `<urlset>${['', 'a', 'b'].map((path) => `<url><loc>${site.url}${path}</loc><lastmod>${date}</lastmod></url>`).join('')}</urlset>`;
    Object.assign(site.pages, {
      '/sitemap.xml': map('2026-01-05'),
      '/': page('Home'),
      '/a': page('A'),
      '/b': page('B'),
    });
    const now = new Date('2026-02-01T00:00:00Z');
    const first = await crawl(site.url, { now });
    site.asked.length = 0;
    site.pages['/a'] = page('A, silently changed');
    const inADay = new Date('2026-02-02T00:00:00Z');
    const second = await crawl(site.url, { known: first.known, now: inADay });
    assert.deepEqual(second.brought, ['unchanged /', 'unchanged /a', 'unchanged /b']);
    assert.deepEqual(site.paths(), ['/']);
    const laterOn = new Date('2026-02-09T00:00:00Z');
    const third = await crawl(site.url, { known: second.known, now: laterOn });
    assert.deepEqual(third.brought, ['unchanged /', 'changed /a', 'unchanged /b']);
    site.pages['/sitemap.xml'] = map('2026-02-09');
    site.pages['/b'] = page('B, changed');
    const fourth = await crawl(site.url, { known: third.known, now: laterOn });
    assert.deepEqual(fourth.brought, ['unchanged /', 'unchanged /a', 'changed /b']);
    // The site changes again on the day of the date: the date stays.
    site.pages['/b'] = page('B, changed once more');
    const fifth = await crawl(site.url, { known: fourth.known, now: laterOn });
    assert.deepEqual(fifth.brought, ['unchanged /', 'unchanged /a', 'changed /b']);
  });
});
