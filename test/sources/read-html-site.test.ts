import assert from 'node:assert/strict';
import { getBatch } from '../../src/ingestion/review/review-batch.js';
import { listBatches } from '../../src/ingestion/review/list-batches.js';
import { createSource } from '../../src/sources/manage-sources.js';
import { runSourceNow } from '../../src/sources/run-source.js';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import { addOrganization, openTestApp } from '../support/test-app.js';
import { startSite } from './site/stand-in-site.js';

describe('A website of HTML and Markdown as a source', () => {
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
    } finally {
      await test.close();
      await site.close();
    }
  });
});
