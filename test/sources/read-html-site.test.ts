import assert from 'node:assert/strict';
import { getBatch } from '../../src/ingestion/review/review-batch.js';
import { listBatches } from '../../src/ingestion/review/list-batches.js';
import { findEntriesWhere } from '../../src/knowledge/entry-lists.repository.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import { noCounts } from '../../src/sources/source.js';
import { nameOfPage } from '../../src/sources/name-page.js';
import { createSource } from '../../src/sources/manage-sources.js';
import { runSourceNow } from '../../src/sources/run-source.js';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import { addOrganization, openTestApp } from '../support/test-app.js';
import { startSite } from './site/stand-in-site.js';

describe('A website of HTML and Markdown as a source', () => {
  it('names the documents of its pages by their paths, whichever page comes first', () => {
    const name = (path: string, ...taken: string[]) =>
      nameOfPage(`https://docs.example${path}`, 'text/html', new Set(taken));
    assert.deepEqual(
      ['/', '/a/b', '/a/b.html', '/a-b/'].map((path) => name(path)),
      ['docs.example.html', 'a - b.html', 'a - b.html', 'a-b.html'],
    );
    // What looks like two folders is marked, also where the name is free.
    for (const path of ['/a%20-%20b', '/a%2Fb', '/a/b.html']) {
      assert.match(name(path, 'a - b.html'), /^[\da-f]{12} - a( - |-)b\.html$/, path);
    }
    assert.match(name('/a%20-%20b'), /^[\da-f]{12} - a - b\.html$/);
  });

  it('becomes entries that are shown on their own pages, and follows changes', async () => {
    const test = await openTestApp({ sources: { allow_private: true } });
    const site = await startSite({
      '/': '<meta name="robots" content="noindex"><a href="/pump">p</a> <a href="/notes">n</a>',
      '/pump':
        '<title>Pump</title><main><h1>The pump</h1><p>The pump is oiled every six months with the oil that came with it, by a person who has read this page.</p><h2 id="winter">In winter</h2><p>In winter, the pump is emptied before the first frost, and stored in a dry room.</p></main>',
      '/notes': {
        body: '# Notes\n\nThe filter of the pump is washed each Monday with warm water and without soap.\n',
        headers: { 'content-type': 'text/markdown' },
      },
    });
    try {
      const acme = await addOrganization(test);
      await claimDomain(test.app, acme.operator, { host: '127.0.0.1', appId: acme.appId });
      const source = await createSource(test.app, acme.operator, {
        ...{ name: 'manual', address: site.url, policy: 'publish', requestsPerSecond: 1000 },
      });
      assert.equal(source.domain, '127.0.0.1');
      const signal = new AbortController().signal;
      const run = () =>
        runSourceNow(test.app, acme.operator, source, { work: true, prune: false, signal });
      const first = await run();
      assert.equal(first.counts.failed, 0, JSON.stringify(first));
      assert.equal(first.counts.new, 2);
      const { items } = await listBatches(test.app, acme.operator, { page: 1, limit: 10 });
      assert.deepEqual(
        items.map(({ fileName, kind, sourceUrl }) => [fileName, kind, sourceUrl]).sort(),
        [
          ['notes.md', 'markdown', `${site.url}notes`],
          ['pump.html', 'html', `${site.url}pump`],
        ],
      );
      const pump = items.find(({ fileName }) => fileName === 'pump.html');
      const { entries } = await getBatch(test.app, acme.operator, pump?.id ?? '');
      assert.deepEqual([...new Set(entries.map(({ urlPattern }) => urlPattern))], ['/pump']);
      assert.ok(entries.every(({ status }) => status === 'published'));
      const before = site.pages['/pump'] as string;
      site.pages['/pump'] = before.replace('six months', 'five months');
      const second = await run();
      assert.deepEqual(
        [second.counts.changed, second.counts.unchanged, second.counts.published],
        [1, 1, 1],
      );
      const entriesNow = () =>
        findEntriesWhere(test.app, {
          organizationId: acme.operator.organizationId,
          document: pump?.document ?? '',
        });
      const [edited] = await entriesNow();
      await updateEntry(test.app, acme.operator, edited?.uuid ?? '', { title: 'By hand' });
      const known = await entriesNow();
      site.pages['/guide/pump'] = site.pages['/pump'];
      site.pages['/pump'] = { status: 301, headers: { location: '/guide/pump' } };
      const third = await run();
      assert.deepEqual(third.counts, { ...noCounts, moved: 1, unchanged: 1 });
      assert.deepEqual(
        third.report.documents.map(({ status, movedFrom, address }) => [
          status,
          movedFrom,
          address,
        ]),
        [['moved', `${site.url}pump`, `${site.url}guide/pump`]],
      );
      const moved = await entriesNow();
      assert.deepEqual(
        moved.map(({ id, uuid, title, content, status, edited, sourceUrl, urlPattern }) => {
          return [id, uuid, title, content, status, edited, sourceUrl, urlPattern];
        }),
        known.map(({ id, uuid, title, content, status, edited }) => {
          return [id, uuid, title, content, status, edited, `${site.url}guide/pump`, '/guide/pump'];
        }),
      );
      assert.deepEqual([known[0]?.edited, known[0]?.status], [true, 'published']);
      const readings = await listBatches(test.app, acme.operator, { page: 1, limit: 10 });
      assert.equal(readings.items.filter(({ document }) => document === pump?.document).length, 2);
      // Its text is changed at the new address: the next version of the same document.
      site.pages['/guide/pump'] = before.replace('six months', 'four months');
      const fourth = await run();
      assert.deepEqual([fourth.counts.changed, fourth.counts.moved], [1, 0]);
      assert.equal((await run()).counts.unchanged, 2);
    } finally {
      await test.close();
      await site.close();
    }
  });
});
