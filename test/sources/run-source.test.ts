import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getBatch } from '../../src/ingestion/review/review-batch.js';
import { approveBatch } from '../../src/ingestion/review/approve-batch.js';
import { listBatches } from '../../src/ingestion/review/list-batches.js';
import { getEntry } from '../../src/knowledge/read-entries.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import { createMetrics } from '../../src/main/metrics.js';
import type { OpenedApp } from '../../src/main/open-app.js';
import { examineSources } from '../../src/operations/examine-sources.js';
import { setPreferences } from '../../src/accounts/users/preferences.js';
import type { DeliveryPayload } from '../../src/notifications/notification.js';
import { listNotifications } from '../../src/notifications/read-notifications.js';
import { createSource, deleteSource, updateSource } from '../../src/sources/manage-sources.js';
import { getSource } from '../../src/sources/read-sources.js';
import { previewSource } from '../../src/sources/preview-source.js';
import { runDueSources } from '../../src/sources/run-due-sources.job.js';
import { runSourceNow } from '../../src/sources/run-source.js';
import { noCounts, type Policy, sourceRuns } from '../../src/sources/source.js';
import { createFolderWatches } from '../../src/sources/watch-folders.job.js';
import { claimSource, findSourceStates } from '../../src/sources/sources.repository.js';
import { auditLogOf } from '../support/audit-log.js';
import { readFixture } from '../pdf/build-pdf.js';
import { chapterOf, manualOf } from '../support/sample-manual.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import { page, startSite, type StandInSite } from './site/stand-in-site.js';

describe('A run of a source', () => {
  let test: TestApp;
  let clock: TestClock;
  let acme: TestOrganization;
  let site: StandInSite;
  const signal = new AbortController().signal;

  beforeEach(async () => {
    clock = createTestClock();
    const sources = { allow_private: true };
    test = await openTestApp({ ingestion: { section_min_chars: 0, threads: 1 }, sources }, clock);
    acme = await addOrganization(test);
    site = await startSite({});
  });
  afterEach(async () => {
    await test.close();
    await site.close();
  });

  const headers = { 'content-type': 'application/pdf' };
  /** A manual of these chapters; `change` is another last line of the first one. */
  const manual = async (chapters: number[], change = '') => {
    const texts = chapters.map((chapter, index) => chapterOf(chapter, index === 0 ? change : ''));
    return { body: await manualOf(texts), headers };
  };
  const home = (...links: string[]) =>
    `<meta name="robots" content="noindex"><h1>Manuals</h1>${links.map((link) => `<a href="${link}">x</a>`).join('')}`;
  const addSite = (policy: Policy = 'review', everyMinutes: number | null = null) =>
    createSource(test.app, acme.operator, {
      ...{ name: 'manuals', address: site.url, domain: acme.domain, policy, everyMinutes },
      requestsPerSecond: 1000,
    });
  const run = async (source: { id: number; name: string }, prune = false, app?: OpenedApp) => {
    clock.advance(60_000);
    return runSourceNow(app ?? test.app, acme.operator, source, { work: true, prune, signal });
  };
  const batches = async () =>
    (await listBatches(test.app, acme.operator, { page: 1, limit: 100 })).items;
  const entriesOf = async (fileName: string) => {
    const last = (await batches()).find((batch) => batch.fileName === fileName);
    return (await getBatch(test.app, acme.operator, last?.id ?? '')).entries;
  };
  const endAsStopped = (id: number) =>
    sourceRuns.change(test.app, id, { status: 'failed', errorCode: 'interrupted' });
  const statuses = async (fileName: string) =>
    (await entriesOf(fileName)).map(({ status }) => status);

  describe('that is a website', () => {
    it('makes drafts of new pages, and of the changes of the next time', async () => {
      site.pages['/'] = home('/a.pdf', '/guide/b.pdf', '/broken', '/page.html');
      site.pages['/a.pdf'] = await manual([0]);
      site.pages['/guide/b.pdf'] = await manual([1, 2]);
      site.pages['/broken'] = { body: '%PDF-1.4 broken', headers };
      const source = await addSite();
      const first = await run(source);
      assert.equal(first.status, 'completed');
      assert.deepEqual(first.counts, { ...noCounts, new: 2, failed: 1 });
      const names = (await batches()).map(
        ({ fileName, source, status }) => `${source} ${fileName} ${status}`,
      );
      assert.deepEqual(names.sort(), [
        'manuals a.pdf completed',
        'manuals broken.pdf failed',
        'manuals guide - b.pdf completed',
      ]);
      assert.deepEqual(await statuses('guide - b.pdf'), ['draft', 'draft']);
      site.pages['/a.pdf'] = await manual([0], 'Another line says something else of the pump.');
      const second = await run(source);
      // A file that could not be read is tried again, with the same result.
      const { counts, report } = second;
      assert.deepEqual(report.leftOutCounts, { noindex: 1, not_found: 1, refused: 1 });
      assert.equal(report.leftOut[0]?.address, `${site.url}broken`);
      assert.match(report.leftOut[0].detail ?? '', /damaged/);
      assert.deepEqual(counts, { ...noCounts, changed: 1, unchanged: 1, failed: 1 });
      assert.equal((await batches()).length, 4);
      const shown = await getSource(test.app, acme.operator, source.id);
      assert.equal(shown.lastRun?.id, second.id);
      assert.equal(shown.isRunning, false);
      const log = await auditLogOf(test, acme);
      const runs = log.filter(({ action }) => action === 'source.run');
      assert.equal(runs.length, 2);
      assert.equal(runs[0]?.actor, 'operator');
    });

    it('shows in a preview what it would bring, and stores nothing', async () => {
      site.pages['/'] = home('/a.pdf', '/closed');
      site.pages['/a.pdf'] = await manual([0]);
      site.pages['/closed'] = { status: 403 };
      const source = await addSite();
      for (let round = 0; round < 2; round++) {
        const preview = await previewSource(test.app, acme.operator, source.id, { signal });
        assert.deepEqual(
          preview.pages.map(({ status, address }) => `${status} ${address}`),
          [`new ${site.url}a.pdf`],
        );
        assert.equal(preview.report.counts.sign_in, 1);
      }
      assert.deepEqual(await batches(), []);
    });

    it('leaves out pages without text of their own, and says so in a preview', async () => {
      site.pages['/'] = page('Manuals', '/list.html', '/scan.pdf');
      site.pages['/list.html'] = '<title>List</title><nav><a href="/pump.html">Pump</a></nav>';
      site.pages['/pump.html'] = page('Pump');
      site.pages['/scan.pdf'] = { body: await readFixture('images-only.pdf'), headers };
      const source = await addSite();
      for (const status of ['new', 'unchanged']) {
        const preview = await previewSource(test.app, acme.operator, source.id, { signal });
        const shown = preview.pages.filter(({ address }) => !address.endsWith('.pdf'));
        assert.deepEqual(
          shown.map((one) => `${one.status} ${one.address}`),
          [`${status} ${site.url}`, `${status} ${site.url}pump.html`],
        );
        const without = { address: `${site.url}list.html`, reason: 'no_text' };
        assert.deepEqual(preview.report.leftOut, [without]);
        // A scan is a failure that a person should see.
        const { counts, report } = await run(source);
        assert.deepEqual(counts, { ...noCounts, [status]: 2, failed: 1 });
        assert.deepEqual(report.leftOutCounts, { no_text: 1, refused: 1 });
        assert.ok(report.leftOut.some(({ reason }) => reason === 'no_text'));
      }
      const failed = { page: 1, limit: 10, status: 'failed' } as const;
      const seen = await listBatches(test.app, acme.operator, failed);
      assert.deepEqual(
        seen.items.map(({ fileName }) => fileName),
        ['scan.pdf'],
      );
      site.pages['/pump.html'] = '<title>Pump</title><nav><a href="/">Manuals</a></nav>';
      const lost = await run(source);
      assert.deepEqual(lost.counts, { ...noCounts, unchanged: 1, failed: 2 });
      assert.equal((await listBatches(test.app, acme.operator, failed)).total, 2);
    });

    it('refuses a page without text that is the only one', async () => {
      site.pages['/'] = '<title>List</title><nav><a href="/">Home</a></nav>';
      const { counts, report } = await run(await addSite());
      assert.deepEqual([counts.failed, report.leftOutCounts], [1, { refused: 1 }]);
    });

    it('leaves everything to a person with the policy review', async () => {
      site.pages['/'] = home('/a.pdf', '/b.pdf');
      site.pages['/a.pdf'] = await manual([0]);
      site.pages['/b.pdf'] = await manual([1]);
      const source = await addSite('review');
      await run(source);
      const [a] = await entriesOf('a.pdf');
      await approveBatch(test.app, acme.operator, { batchId: a?.batchId ?? '', entryIds: 'all' });
      site.pages['/a.pdf'] = { status: 404 };
      const { counts, report } = await run(source);
      assert.deepEqual([counts.gone, counts.removed, counts.published], [1, 0, 0]);
      const [gone] = report.documents;
      assert.deepEqual(gone, {
        ...{ status: 'gone', address: `${site.url}a.pdf`, movedFrom: null, batchId: a?.batchId },
      });
      assert.deepEqual(await statuses('a.pdf'), ['published']);
      // It is reported until somebody takes it back, and a preview shows it.
      assert.equal((await run(source)).counts.gone, 1);
      const { pages } = await previewSource(test.app, acme.operator, source.id, { signal });
      assert.deepEqual(
        pages.map(({ status, address }) => `${status} ${address}`),
        [`unchanged ${site.url}b.pdf`, `gone ${site.url}a.pdf`],
      );
      const pruned = await run(source, true);
      assert.deepEqual([pruned.counts.gone, pruned.counts.removed], [1, 1]);
      assert.equal((await getEntry(test.app, acme.operator, a?.uuid ?? '')).status, 'draft');
      assert.equal((await run(source)).counts.gone, 0);
    });

    it('publishes only changes of published entries with the policy publish_changes', async () => {
      site.pages['/'] = home('/a.pdf');
      site.pages['/a.pdf'] = await manual([0, 1]);
      const source = await addSite('publish_changes');
      assert.equal((await run(source)).counts.published, 0);
      const [a, b] = await entriesOf('a.pdf');
      await approveBatch(test.app, acme.operator, {
        batchId: a?.batchId ?? '',
        entryIds: [a?.id ?? 0],
      });
      site.pages['/a.pdf'] = await manual([0, 1, 2], 'Another line says something else of it.');
      assert.equal((await run(source)).counts.published, 1);
      const now = await getEntry(test.app, acme.operator, a?.uuid ?? '');
      assert.match(now.content, /Another line says something else/);
      assert.equal(now.status, 'published');
      assert.equal((await getEntry(test.app, acme.operator, b?.uuid ?? '')).status, 'draft');
      assert.deepEqual((await statuses('a.pdf')).sort(), ['draft', 'draft', 'published']);
    });

    it('publishes everything with the policy publish, but never over the edits of a person', async () => {
      site.pages['/'] = home('/a.pdf', '/b.pdf', '/c.pdf');
      site.pages['/a.pdf'] = await manual([0]);
      site.pages['/b.pdf'] = await manual([1]);
      site.pages['/c.pdf'] = await manual([2]);
      const source = await addSite('publish');
      assert.equal((await run(source)).counts.published, 3);
      const [a] = await entriesOf('a.pdf');
      const [b] = await entriesOf('b.pdf');
      const content = `${b?.content ?? ''}\n\nA person wrote this.`;
      await updateEntry(test.app, acme.operator, b?.uuid ?? '', { content });
      site.pages['/a.pdf'] = await manual([0], 'Another line says something else of the pump.');
      site.pages['/b.pdf'] = await manual([1], 'Another line says something else of the heater.');
      site.pages['/c.pdf'] = { status: 410 };
      const { counts } = await run(source);
      assert.deepEqual([counts.changed, counts.published, counts.removed], [2, 1, 1]);
      const read = (uuid = '') => getEntry(test.app, acme.operator, uuid);
      assert.match((await read(a?.uuid)).content, /Another line/);
      assert.match((await read(b?.uuid)).content, /A person wrote this/);
      assert.deepEqual((await statuses('b.pdf')).sort(), ['draft']);
    });

    it('takes nothing back when more would go than stay, until a person says so', async () => {
      site.pages['/'] = home('/a.pdf', '/b.pdf', '/c.pdf');
      for (const [index, name] of ['a', 'b', 'c'].entries()) {
        site.pages[`/${name}.pdf`] = await manual([index]);
      }
      const source = await addSite('publish');
      await run(source);
      delete site.pages['/a.pdf'];
      delete site.pages['/b.pdf'];
      const doubtful = await run(source);
      assert.deepEqual([doubtful.counts.gone, doubtful.counts.removed], [2, 0]);
      assert.match(doubtful.report.note ?? '', /2 documents would go and 1 would stay/);
      assert.equal((await run(source, true)).counts.removed, 2);
    });

    it('still takes back what was gone at an address to which another page moves', async () => {
      site.pages['/'] = home('/a.pdf', '/b.pdf');
      site.pages['/a.pdf'] = await manual([0]);
      site.pages['/b.pdf'] = await manual([1]);
      const source = await addSite('publish_changes');
      await run(source);
      for (const { id: batchId } of await batches()) {
        await approveBatch(test.app, acme.operator, { batchId, entryIds: 'all' });
      }
      delete site.pages['/b.pdf'];
      assert.equal((await run(source)).counts.gone, 1);
      site.pages['/b.pdf'] = site.pages['/a.pdf'];
      site.pages['/a.pdf'] = { status: 301, headers: { location: '/b.pdf' } };
      const { counts } = await run(source);
      assert.deepEqual([counts.moved, counts.gone], [1, 1]);
      const pruned = await run(source, true);
      assert.deepEqual([pruned.counts.unchanged, pruned.counts.removed], [1, 1]);
      assert.deepEqual(await statuses('a.pdf'), ['published']);
      assert.equal((await run(source)).counts.gone, 0);
    });

    it('publishes what the run before had read when it was stopped', async () => {
      site.pages['/'] = home('/a.pdf');
      site.pages['/a.pdf'] = { ...(await manual([0])), headers: { ...headers, etag: '"a"' } };
      const source = await addSite('review');
      const stopped = await run(source);
      await updateSource(test.app, acme.operator, source.id, { policy: 'publish' });
      assert.equal((await run(source)).counts.published, 0);
      await endAsStopped(stopped.id + 1);
      const { counts } = await run(source);
      assert.deepEqual([counts.unchanged, counts.published], [1, 1]);
    });

    it('goes on where it was stopped, also below pages that are unchanged', async () => {
      site.pages['/'] = page('Home', '/a.pdf');
      site.pages['/a.pdf'] = await manual([0]);
      const source = await addSite();
      const stopped = await run(source);
      // As if it had not come to the link.
      await test.app.db.write('source_pages').where('address', 'like', '%a.pdf').delete();
      await endAsStopped(stopped.id);
      site.asked.length = 0;
      await run(source);
      assert.ok(site.paths().includes('/a.pdf'));
    });

    it('reads a page again whose document failed for a reason that may have passed', async () => {
      site.pages['/'] = home('/a.pdf');
      site.pages['/a.pdf'] = await manual([0]);
      const source = await addSite();
      await run(source);
      await test.app.db
        .write('ingestion_batches')
        .update({ status: 'failed', error_code: 'internal' });
      await test.app.db.write('source_pages').update({ body_hash: null, content_hash: null });
      assert.equal((await run(source)).counts.failed, 0);
      assert.deepEqual(
        (await batches()).map(({ status }) => status),
        ['completed'],
      );
    });

    it('mails a report of what is new to the user who wants it, and nothing else', async () => {
      const { app } = test;
      Object.assign(app.config.mail, { host: 'mail.example' });
      Object.assign(app.config.server, { public_url: 'https://assistant.example' });
      const reviewer = await addUser(test, acme, 'backoffice');
      const reader = await addUser(test, acme, 'user');
      const mails = async () => {
        const rows = await app.db
          .read('outbox_deliveries')
          .orderBy('id')
          .select('target', 'payload');
        return rows.map(({ target, payload }: Record<string, string>) => {
          const { request } = JSON.parse(payload ?? '') as DeliveryPayload;
          return { target, subject: request.question, text: request.response };
        });
      };
      site.pages['/'] = home('/a.pdf', '/broken');
      site.pages['/a.pdf'] = await manual([0]);
      const source = await addSite();
      await assert.rejects(updateSource(app, acme.operator, source.id, { reportTo: reader.id }));
      const change = { reportTo: reviewer.id };
      assert.equal(
        (await updateSource(app, acme.operator, source.id, change)).reportTo,
        reviewer.id,
      );
      const person = {
        ...({ kind: 'user', role: 'backoffice', userId: reviewer.id } as const),
        organizationId: acme.operator.organizationId,
      };
      await setPreferences(app, person, { language: 'de' });
      const first = await run(source);
      await run(source);
      const [mail, ...more] = await mails();
      assert.deepEqual(more, []);
      assert.equal(mail?.target, reviewer.email);
      assert.equal(
        mail.subject,
        'Quelle manuals: 1 neu, 0 geändert, 0 umgezogen, 0 weggefallen, 0 gescheitert',
      );
      const { id } = (await batches())[0] ?? {};
      const base = 'https://assistant.example/backoffice';
      assert.ok(mail.text.includes(`- ${site.url}a.pdf\n  ${base}/documents/${id}`), mail.text);
      assert.ok(mail.text.includes(`${base}/sources/runs/${first.id}`));
      // What fails is told once.
      site.pages['/broken'] = { body: '%PDF-1.4 broken', headers };
      await run(source);
      await run(source);
      site.pages['/robots.txt'] = 'User-agent: *\nDisallow: /';
      await run(source);
      await run(source);
      assert.deepEqual(
        (await mails()).slice(1).map(({ subject }) => subject),
        [
          'Quelle manuals: 0 neu, 0 geändert, 0 umgezogen, 0 weggefallen, 1 gescheitert',
          'Die Quelle manuals konnte nicht gelesen werden',
        ],
      );
      const own = { page: 1, limit: 10 };
      assert.equal((await listNotifications(app, person, own)).total, 0);
    });

    it('records why a run failed', async () => {
      site.pages['/robots.txt'] = 'User-agent: *\nDisallow: /';
      const failed = await run(await addSite());
      assert.deepEqual([failed.status, failed.errorCode], ['failed', 'unprocessable']);
      assert.match(failed.errorMessage ?? '', /robots\.txt/);
    });

    it('shows in status, doctor and metrics whether it fails or waits for a process', async () => {
      const [none] = await examineSources(test.app);
      assert.equal(none, undefined);
      site.pages['/'] = home('/a.pdf');
      site.pages['/a.pdf'] = await manual([0]);
      const source = await addSite('review', 60);
      const codeNow = async () => {
        const [check] = await examineSources(test.app);
        return [check?.code, check?.finding];
      };
      assert.deepEqual(await codeNow(), ['sources_unread', '1, 0 running, some not read yet']);
      const { endedAt } = await run(source);
      clock.advance(30_000);
      assert.deepEqual(await codeNow(), ['sources', '1, 0 running, all read within 30 s']);
      site.pages['/robots.txt'] = 'User-agent: *\nDisallow: /';
      await run(source);
      const failing = '1, of which 1 fail and 0 are overdue: manuals';
      assert.deepEqual(await codeNow(), ['sources_troubled', failing]);
      clock.advance(75 * 60_000);
      const overdue = '1, of which 0 fail and 1 are overdue: manuals';
      assert.deepEqual(await codeNow(), ['sources_troubled', overdue]);
      const [state] = await findSourceStates(test.app);
      assert.deepEqual(state, {
        id: source.id,
        name: 'manuals',
        state: 'overdue',
        readAt: endedAt,
      });
      const text = await createMetrics(test.app).render();
      assert.match(text, /^assistant_sources\{status="overdue"\} 1$/m);
      const readAt = Date.parse(endedAt ?? '') / 1000;
      assert.match(text, new RegExp(`^assistant_source_read_timestamp_seconds.*} ${readAt}$`, 'm'));
    });
  });

  describe('that is a folder', () => {
    const addFolder = async (policy: Policy = 'review') => {
      const folder = join(test.folder, 'manuals');
      await mkdir(join(folder, 'guide'), { recursive: true });
      const source = await createSource(test.app, acme.operator, {
        ...{ name: 'shelf', folder, domain: acme.domain, policy },
      });
      const write = async (name: string, chapters: number[], change = '') =>
        writeFile(join(folder, name), (await manual(chapters, change)).body);
      return { folder, source, write };
    };

    it('does what assistant ingest --source does with it', async () => {
      const { folder, source, write } = await addFolder('publish');
      await write('a.pdf', [0]);
      await write('guide/b.pdf', [1]);
      await writeFile(join(folder, 'bad.pdf'), 'no PDF');
      const first = await run(source);
      assert.deepEqual([first.counts.new, first.counts.failed, first.counts.published], [2, 1, 2]);
      assert.equal(first.report.leftOut[0]?.address, 'bad.pdf');
      await writeFile(join(folder, 'index.md'), '# Manuals');
      for (let round = 0; round < 2; round++) {
        const { counts, report } = await run(source);
        assert.deepEqual(counts, { ...noCounts, unchanged: 2, failed: 1 });
        assert.deepEqual(report.leftOutCounts, { unreachable: 1, no_text: 1 });
      }
      await rm(join(folder, 'index.md'));
      await run(source, true);
      await write('a.pdf', [0], 'Another line says something else of the pump.');
      await rm(join(folder, 'guide/b.pdf'));
      const second = await run(source);
      const { changed, unchanged, gone, removed, published } = second.counts;
      assert.deepEqual([changed, unchanged, gone, removed, published], [1, 0, 1, 1, 1]);
      // A file that was renamed is the same document, also when it changes afterwards.
      await rename(join(folder, 'a.pdf'), join(folder, 'guide/renamed.pdf'));
      const third = await run(source);
      assert.deepEqual(third.counts, { ...noCounts, unchanged: 1, failed: 1 });
      await write('guide/renamed.pdf', [0], 'A third line says a third thing of the pump.');
      const fourth = await run(source);
      assert.deepEqual(fourth.counts, { ...noCounts, changed: 1, published: 1, failed: 1 });
      assert.deepEqual(await statuses('a.pdf'), ['published']);
    });

    it('is due again soon after something in it has changed', async () => {
      const { folder, source, write } = await addFolder();
      await updateSource(test.app, acme.operator, source.id, { everyMinutes: 60 });
      assert.equal(await runDueSources(test.app, signal, { work: true }), 1);
      const watches = createFolderWatches(test.app, 1);
      try {
        await watches.update();
        clock.advance(1000);
        const woken = new Promise<void>((resolve) => test.app.jobs.onWake(resolve));
        await write('guide/new.pdf', [0]);
        await woken;
        assert.equal(await runDueSources(test.app, signal, { work: true }), 1);
        const { lastRun } = await getSource(test.app, acme.operator, source.id);
        assert.equal(lastRun?.counts.new, 1);
        await updateSource(test.app, acme.operator, source.id, { everyMinutes: null });
        await watches.update();
        await rm(folder, { recursive: true });
        assert.equal((await getSource(test.app, acme.operator, source.id)).nextRunAt, null);
      } finally {
        await watches.close();
      }
    });

    it('publishes what the run before had read when it was stopped', async () => {
      const { source, write } = await addFolder('review');
      await write('a.pdf', [0]);
      const stopped = await run(source);
      await updateSource(test.app, acme.operator, source.id, { policy: 'publish' });
      await endAsStopped(stopped.id);
      assert.equal((await run(source)).counts.published, 1);
    });

    it('reads nothing behind a link that leads out of it', async () => {
      const { folder, source, write } = await addFolder('publish');
      await write('a.pdf', [0]);
      await writeFile(join(test.folder, 'secret.txt'), 'The password of the machine is swordfish.');
      await symlink(join(test.folder, 'secret.txt'), join(folder, 'b.md'));
      await symlink(join(folder, 'a.pdf'), join(folder, 'guide/again.pdf'));
      const { counts, report } = await run(source);
      assert.deepEqual([counts.new, counts.failed, counts.published], [1, 1, 1]);
      assert.equal(report.leftOut[0]?.address, join(folder, 'b.md'));
      assert.match(report.leftOut[0].detail ?? '', /leads out of the folder/);
    });

    it('fails when the folder is not there, and takes nothing back when it is empty', async () => {
      const { folder, source, write } = await addFolder('publish');
      await write('a.pdf', [0]);
      await run(source);
      await rm(join(folder, 'a.pdf'));
      const empty = await run(source);
      assert.deepEqual([empty.counts.gone, empty.counts.removed], [1, 0]);
      await rm(folder, { recursive: true });
      assert.equal((await run(source)).errorCode, 'not_found');
      assert.deepEqual(await statuses('a.pdf'), ['published']);
    });
  });

  describe('that is due', () => {
    it('is made once by several servers, again after the interval', async () => {
      site.pages['/'] = home('/a.pdf');
      site.pages['/a.pdf'] = await manual([0]);
      const source = await addSite('review', 60);
      const other = await test.openAnother({ clock });
      try {
        const due = () =>
          Promise.all([test.app, other].map((app) => runDueSources(app, signal, { work: true })));
        assert.deepEqual((await due()).sort(), [0, 1]);
        assert.deepEqual(await due(), [0, 0]);
        clock.advance(61 * 60_000);
        assert.deepEqual((await due()).sort(), [0, 1]);
        const log = await auditLogOf(test, acme);
        const last = log.findLast(({ action }) => action === 'source.run');
        assert.equal(last?.actor, `source:${source.id}`);
      } finally {
        await other.close();
      }
    });

    it('is refused while another process makes it, and taken over when that died', async () => {
      site.pages['/'] = home();
      const source = await addSite('review', 60);
      const held = await claimSource(test.app, source.organizationId, source.id);
      assert.ok(held !== undefined);
      const again = { work: true, prune: false, signal };
      const refused = { code: 'conflict', message: /being read/ };
      await assert.rejects(runSourceNow(test.app, acme.operator, source, again), refused);
      assert.equal((await getSource(test.app, acme.operator, source.id)).isRunning, true);
      clock.advance(test.app.config.sources.lease_ms);
      assert.equal(await runDueSources(test.app, signal, { work: true }), 1);
    });

    it('is made again at once when the server was stopped meanwhile', async () => {
      const stopping = new AbortController();
      site.pages['/'] = home('/a.pdf');
      site.pages['/a.pdf'] = (ctx) => {
        stopping.abort();
        ctx.status = 500;
      };
      const source = await addSite('review', 60);
      assert.equal(await runDueSources(test.app, stopping.signal, { work: true }), 1);
      const stopped = await getSource(test.app, acme.operator, source.id);
      assert.equal(stopped.lastRun?.errorCode, 'interrupted');
      site.pages['/a.pdf'] = await manual([0]);
      assert.equal(await runDueSources(test.app, signal, { work: true }), 1);
      const { lastRun } = await getSource(test.app, acme.operator, source.id);
      assert.equal(lastRun?.counts.new, 1);
    });
  });

  it('gives a website that is a registered domain to that domain', async () => {
    const add = (name: string, host: string) =>
      createSource(test.app, acme.operator, { name, address: `https://${host}/docs/` });
    assert.equal((await add('own', acme.domain)).domain, acme.domain);
    assert.equal((await add('other', 'docs.elsewhere.example')).domain, null);
    const { domain } = await addOrganization(test, 'Globex');
    assert.equal((await add('foreign', domain)).domain, null);
  });

  it('has limits of depth, pages and requests only for a website', async () => {
    const input = { name: 'shelf', folder: test.folder, domain: acme.domain };
    const refused = { code: 'invalid_request', message: /are for websites/ };
    await assert.rejects(createSource(test.app, acme.operator, { ...input, depth: 3 }), refused);
    const { id } = await createSource(test.app, acme.operator, input);
    await assert.rejects(updateSource(test.app, acme.operator, id, { mostPages: 9 }), refused);
  });

  it('keeps its documents when the source is deleted', async () => {
    site.pages['/'] = home('/a.pdf');
    site.pages['/a.pdf'] = await manual([0]);
    const source = await addSite();
    await run(source);
    await deleteSource(test.app, acme.operator, source.id);
    assert.equal((await batches()).length, 1);
  });

  it('reads every page again when what is read has changed', async () => {
    site.pages['/'] = home('/a.pdf', '/b.pdf');
    site.pages['/a.pdf'] = { ...(await manual([0])), headers: { ...headers, etag: '"a"' } };
    site.pages['/b.pdf'] = await manual([1]);
    const source = await addSite();
    await run(source);
    site.asked.length = 0;
    await updateSource(test.app, acme.operator, source.id, { exclude: ['/b.pdf'] });
    const { counts } = await run(source);
    assert.deepEqual([counts.unchanged, counts.gone], [1, 0]);
    const asked = site.asked.filter(({ path }) => path.endsWith('.pdf'));
    assert.deepEqual(
      asked.map(({ path, headers }) => [path, headers['if-none-match']]),
      [['/a.pdf', undefined]],
    );
  });
});
