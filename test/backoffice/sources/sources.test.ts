import assert from 'node:assert/strict';
import { approveWaiting, countWaiting } from '../../../src/ingestion/review/approve-waiting.js';
import { listEntries } from '../../../src/knowledge/read-entries.js';
import { updateEntry } from '../../../src/knowledge/update-entry.js';
import { runDueSources } from '../../../src/sources/run-due-sources.job.js';
import { page, startSite, type StandInSite } from '../../sources/site/stand-in-site.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { auditLogOf } from '../../support/audit-log.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('Sources in the backoffice', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let site: StandInSite;
  let browser: PageClient;
  let me: TestUser;

  before(async () => {
    test = await serveTestApp({ sources: { allow_private: true } });
    acme = await addOrganization(test);
    site = await startSite({
      '/': page('Manual of the pump', '/closed', '/oil'),
      '/oil': page('Oiling it'),
      '/closed': { status: 403 },
    });
    browser = openPageClient(test.url);
    me = await addUser(test, acme, 'backoffice');
    await browser.signIn(me);
  });
  after(async () => {
    await test.close();
    await site.close();
  });

  const held = { lease_token: 'x', lease_expires_at: '2999-01-01T00:00:00.000Z' };
  const free = { lease_token: null, lease_expires_at: null };
  const settings = { policy: 'review', every_minutes: '' };
  const create = async (name: string, more: Record<string, string> = {}) => {
    const form = { do: 'create', name, address: site.url, ...settings, ...more };
    return browser.send('/sources', form);
  };
  const pathOf = async (name: string) => {
    const { text } = await browser.open('/sources');
    return new RegExp(`href="/backoffice(/sources/\\d+)">${name}<`).exec(text)?.[1] ?? '';
  };

  it('are added, previewed, changed and deleted', async () => {
    assert.match((await browser.open('/sources')).text, /There are no sources yet/);
    const refused = await create('a/b');
    assert.equal(refused.status, 400);
    assert.match(refused.text, /value="a\/b"/);
    assert.equal((await create('manual')).status, 303);
    const path = await pathOf('manual');
    const preview = await browser.send(path, { do: 'preview' });
    assert.equal(preview.status, 200);
    assert.match(preview.text, /Oiling it/);
    assert.match(preview.text, /the page needs a sign-in/);
    assert.match((await browser.open(path)).text, /It was not read yet/);
    const form = {
      do: 'save',
      address: site.url,
      visibility: 'internal',
      depth: '2',
      most_pages: '',
    };
    const more = { report_to: String(me.id) };
    const lists = { include: '/oil\r\n\r\n/pump/*', exclude: '' };
    await browser.send(path, {
      ...form,
      ...lists,
      ...more,
      policy: 'publish',
      every_minutes: '60',
    });
    const { text } = await browser.open(path);
    assert.match(text, /<option value="publish" selected/);
    assert.match(text, /<option value="60" selected/);
    assert.match(text, /selected>To me</);
    assert.match(text, /\/oil\n\/pump\/\*/);
    await browser.send(path, { do: 'delete', sure: 'on' });
    assert.equal((await browser.open(path)).status, 404);
  });

  it('show their runs, what was left out, and why one failed', async () => {
    await create('guide');
    const path = await pathOf('guide');
    assert.equal((await browser.send(path, { do: 'run' })).status, 303);
    assert.equal(await runDueSources(test.app, new AbortController().signal, { work: true }), 1);
    const { text } = await browser.open(path);
    assert.match(text, /the page needs a sign-in/);
    // The source uploaded them, not somebody who is gone.
    const documents = await browser.open('/documents');
    assert.match(documents.text, /<td[^>]*>guide<\/td>/);
    assert.doesNotMatch(documents.text, /Somebody who is gone/);
    assert.match(text, /<caption class="unseen">Runs/);
    // From the run to the differences of a document.
    const runPath = /href="\/backoffice(\/sources\/runs\/\d+)"/.exec(text)?.[1] ?? '';
    const run = await browser.open(runPath);
    assert.match(run.text, /oil<\/a>/);
    const document = /href="\/backoffice(\/documents\/[\w-]+)"/.exec(run.text)?.[1] ?? '';
    assert.match((await browser.open(document)).text, /Manual of the pump/);
    assert.equal((await browser.open('/sources/runs/999')).status, 404);
    assert.match(text, /2 drafts of 2 documents wait for a decision/);
    const accept = /href="\/backoffice(\/sources\/\d+\/accept\?run=\d+)"/.exec(run.text)?.[1] ?? '';
    const asked = await browser.open(accept);
    assert.match(asked.text, /Accept 2 drafts without reading\?/);
    assert.match(asked.text, /oil\.html<\/a>/);
    const form = { do: 'accept', run: accept.split('=')[1] ?? '' };
    const wrong = await browser.send(accept, { ...form, count: '3' });
    assert.equal(wrong.status, 409);
    assert.match(wrong.text, /there are 2 drafts now, not 3/);
    // What there was no time for waits, and is asked about again.
    const waiting = await countWaiting(test.app, acme.operator, { source: 'guide' });
    assert.deepEqual([waiting.drafts, waiting.batches.size], [2, 2]);
    assert.equal(await approveWaiting(test.app, acme.operator, waiting, { lastingMs: -1 }), 0);
    const accepted = await browser.send(accept, { ...form, count: '2' });
    assert.equal(accepted.status, 303);
    assert.doesNotMatch((await browser.open(path)).text, /wait for a decision/);
    assert.match((await browser.open(`${path}/accept`)).text, /All drafts are decided/);
    assert.equal((await browser.open(`${path}/accept?run=999`)).status, 404);
    // An entry that a person took back is decided by itself.
    const { items } = await listEntries(test.app, acme.operator, { page: 1, limit: 1 });
    await updateEntry(test.app, acme.operator, items[0]?.uuid ?? '', { status: 'draft' });
    assert.match((await browser.open(`${path}/accept`)).text, /All drafts are decided/);
    site.pages['/robots.txt'] = 'User-agent: *\nDisallow: /';
    await browser.send(path, { do: 'run' });
    await runDueSources(test.app, new AbortController().signal, { work: true });
    assert.match((await browser.open(path)).text, /does not let programs read/);
    assert.match((await browser.open('/sources')).text, /Failed/);
  });

  it('list what is gone at the source, and take it back when a person says so', async () => {
    const lamps = await startSite({
      '/': page('Lamps', '/red', '/blue', '/green'),
      '/red': page('The red lamp'),
      '/blue': page('The blue lamp'),
      '/green': page('The green lamp'),
    });
    try {
      await create('lamps', { address: lamps.url });
      const path = await pathOf('lamps');
      const read = async () => {
        await browser.send(path, { do: 'run' });
        await runDueSources(test.app, new AbortController().signal, { work: true });
      };
      await read();
      const waiting = await countWaiting(test.app, acme.operator, { source: 'lamps' });
      await approveWaiting(test.app, acme.operator, waiting, { lastingMs: 60_000 });
      assert.doesNotMatch((await browser.open(path)).text, /no longer at the source/);
      assert.match((await browser.open(`${path}/gone`)).text, /Nothing is gone at the source/);
      for (const one of ['/red', '/blue', '/green']) lamps.pages[one] = { status: 404 };
      await read();
      const shown = await browser.open(path);
      assert.match(shown.text, /3 documents are no longer at the source/);
      assert.ok(shown.text.includes(`href="/backoffice${path}/gone"`));
      const asked = await browser.open(`${path}/gone`);
      const ticked = [...asked.text.matchAll(/name="gone" value="([\w-]+)" checked/g)];
      const [blue = '', green = '', red = ''] = ticked.map(([, id]) => id);
      assert.match(asked.text, /lamps[^]*blue[^]*green[^]*red/);
      const none = await browser.send(`${path}/gone`, { do: 'takeBack' });
      assert.equal(none.status, 303);
      const unknown = await browser.send('/sources/999/gone', { do: 'takeBack' });
      assert.equal(unknown.status, 404);
      const published = async () => {
        const wanted = { page: 1, limit: 100, status: 'published', text: 'lamp' } as const;
        const { items } = await listEntries(test.app, acme.operator, wanted);
        return items.map(({ title }) => title).filter((title) => title.includes('lamp'));
      };
      assert.equal((await published()).length, 3);
      const some = { do: 'takeBack', gone: `${blue}\n${red}` };
      await test.app.db.write('sources').where({ name: 'lamps' }).update(held);
      assert.equal((await browser.send(`${path}/gone`, some)).status, 409);
      await test.app.db.write('sources').where({ name: 'lamps' }).update(free);
      const chosen = await browser.send(`${path}/gone`, some);
      assert.deepEqual([chosen.status, chosen.to.split('?')[0]], [303, `/backoffice${path}/gone`]);
      assert.deepEqual(await published(), ['The green lamp']);
      const rest = await browser.send(`${path}/gone`, { do: 'takeBack', gone: green });
      assert.equal(rest.to.split('?')[0], `/backoffice${path}`);
      assert.deepEqual(await published(), []);
      const log = await auditLogOf(test, acme);
      const pruned = log.filter(({ action }) => action === 'document.prune');
      assert.deepEqual(
        pruned.map(({ actor }) => actor),
        Array(3).fill(`user:${me.id}`),
      );
      // Names of documents that are not gone have no effect.
      const wanted = { page: 1, limit: 1, status: 'published' } as const;
      const [other] = (await listEntries(test.app, acme.operator, wanted)).items;
      const kept = { do: 'takeBack', gone: other?.batchId ?? '' };
      assert.equal((await browser.send(`${path}/gone`, kept)).status, 303);
      assert.equal((await listEntries(test.app, acme.operator, wanted)).items.length, 1);
      await read();
      assert.doesNotMatch((await browser.open(path)).text, /no longer at the source/);
    } finally {
      await lamps.close();
    }
  });

  it('say so when a document that was gone has been read again since, and leave it', async () => {
    const lamps = await startSite({ '/': page('Lights', '/red'), '/red': page('The red light') });
    try {
      await create('lights', { address: lamps.url });
      const path = await pathOf('lights');
      const read = async () => {
        await browser.send(path, { do: 'run' });
        await runDueSources(test.app, new AbortController().signal, { work: true });
      };
      await read();
      const gone = { address: new URL('/red', lamps.url).href };
      const pages = test.app.db.read('source_pages').where(gone);
      const [first = ''] = await pages.pluck<string[]>('batch_id');
      lamps.pages['/red'] = page('The red light', '/more');
      await read();
      lamps.pages['/red'] = { status: 404 };
      await read();
      // Somebody else reads it while the page of what is gone stands open.
      await test.app.db.write('source_pages').where(gone).update({ batch_id: first });
      const kept = await browser.send(`${path}/gone`, { do: 'takeBack', gone: first });
      const { text } = await browser.open(kept.to.replace('/backoffice', ''));
      assert.match(text, /read again since stay as they are/);
      assert.doesNotMatch(text, /answers do not use their entries/);
    } finally {
      await lamps.close();
    }
  });

  it('are no page for readers', async () => {
    const reader = openPageClient(test.url);
    const user = await addUser(test, acme, 'user');
    await reader.signIn(user).catch(() => undefined);
    assert.notEqual((await reader.open('/sources')).status, 200);
  });
});
