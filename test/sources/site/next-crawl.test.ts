import assert from 'node:assert/strict';
import { crawl, page, startSite, type StandInSite } from './stand-in-site.js';

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
      'gone /deleted',
      'gone /moved',
      'gone /hidden',
      'gone /named',
      'new /target',
    ]);
    assert.deepEqual(
      second.pages.flatMap(({ reason }) => reason ?? []),
      ['not_found', 'redirects', 'noindex', 'canonical'],
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

  it('brings a page whose twin is gone at the crawl after that', async () => {
    await open({ '/': page('Home', '/a', '/b'), '/a': page('Twin'), '/b': page('Twin') });
    const first = await crawl(site.url);
    assert.deepEqual(first.leftOut, ['duplicate /b']);
    site.pages['/a'] = { status: 404 };
    const second = await crawl(site.url, { known: first.known });
    assert.deepEqual(second.brought, ['unchanged /', 'gone /a', 'new /b']);
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
