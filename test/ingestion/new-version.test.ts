import assert from 'node:assert/strict';
import { approveBatch } from '../../src/ingestion/review/approve-batch.js';
import { claimBatch } from '../../src/ingestion/worker/lease.repository.js';
import {
  createDocumentExtractor,
  type DocumentExtractor,
} from '../../src/documents/extract-document.js';
import { processBatch } from '../../src/ingestion/worker/process-batch.job.js';
import { deleteBatch, getBatch, retryBatch } from '../../src/ingestion/review/review-batch.js';
import { runDueBatches } from '../../src/ingestion/worker/run-worker.js';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import { moveDomain } from '../../src/tenancy/manage-domains.js';
import { getEntry, listHistory } from '../../src/knowledge/read-entries.js';
import { explainEntries } from '../../src/answers/explain-entries.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import {
  chapterOf as chapter,
  chapterTitles as titles,
  manualOf,
  type Chapter,
} from '../support/sample-manual.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';

describe('A new version of a PDF', () => {
  let test: TestApp;
  let clock: TestClock;
  let acme: TestOrganization;
  let extractor: DocumentExtractor;

  before(() => {
    extractor = createDocumentExtractor({ workers: 1, workerMemoryMb: 512 });
  });
  after(() => extractor.close());
  beforeEach(async () => {
    clock = createTestClock();
    test = await openTestApp({ ingestion: { section_min_chars: 0 } }, clock);
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const start = async (chapters: Chapter[], more: { force?: boolean; fileName?: string } = {}) => {
    clock.advance(1000);
    const bytes = await manualOf(chapters);
    const input = { fileName: 'manual.pdf', domain: acme.domain, bytes, ...more };
    return startIngestion(test.app, acme.operator, input);
  };
  const read = (id: string) => getBatch(test.app, acme.operator, id);
  const ingest = async (chapters: Chapter[], more: { force?: boolean; fileName?: string } = {}) => {
    const { batch } = await start(chapters, more);
    await runDueBatches(test.app, extractor);
    const found = await read(batch.id);
    assert.equal(found.batch.status, 'completed');
    return found;
  };
  const approve = (id: string, entryIds: number[] | 'all' = 'all', deleteGone = false) =>
    approveBatch(test.app, acme.operator, { batchId: id, entryIds, deleteGone });
  const publish = async (chapters: Chapter[]) => {
    const { batch } = await ingest(chapters);
    await approve(batch.id);
    return read(batch.id);
  };
  const entryOf = (id: number | undefined) => getEntry(test.app, acme.operator, String(id));
  const rows = async (table: string): Promise<Record<string, unknown>[]> =>
    test.app.db.read(table).select('*');

  it('has only new sections at first', async () => {
    const { batch, gone } = await ingest([chapter(0), chapter(1)]);
    assert.deepEqual(batch.diff, { unchanged: 0, changed: 0, new: 2, gone: 0 });
    assert.deepEqual(gone, []);
  });

  it('keeps unchanged sections published, and updates their page numbers', async () => {
    const first = await publish([chapter(0), chapter(1)]);
    const { batch, entries } = await ingest([chapter(2), chapter(0), chapter(1)]);
    assert.deepEqual(batch.diff, { unchanged: 2, changed: 0, new: 1, gone: 0 });
    assert.deepEqual(
      entries.map((entry) => [entry.title, entry.status, entry.replacesId]),
      [[titles[2], 'draft', null]],
    );
    const kept = await entryOf(first.entries[0]?.id);
    const { pageFrom, pageTo } = kept;
    assert.deepEqual([pageFrom, pageTo], [2, 2]);
    assert.deepEqual(kept, { ...first.entries[0], pageFrom, pageTo });
    const question = { text: 'S1x3', page: 1, limit: 1 };
    const { found } = await explainEntries(test.app, acme.operator, question);
    assert.equal(found[0]?.passage.pageFrom, 2);
  });

  it('puts a changed text into its entry on approval, and keeps ids, address pattern and history', async () => {
    const first = await publish([chapter(0), chapter(1)]);
    const old = await updateEntry(test.app, acme.operator, String(first.entries[0]?.id), {
      urlPattern: '/pumps',
      visibility: 'internal',
    });
    const second = await ingest([chapter(0, 'The new lid is blue.'), chapter(1)]);
    assert.deepEqual(second.batch.diff, { unchanged: 1, changed: 1, new: 0, gone: 0 });
    const [draft] = second.entries;
    assert.equal(draft?.replacesId, old.id);
    assert.equal((await entryOf(old.id)).content, old.content, 'unchanged before the approval');

    assert.deepEqual(await approve(second.batch.id, [draft.id]), { approved: 1, deleted: 0 });
    const now = await entryOf(old.id);
    assert.match(now.content, /new lid is blue/);
    assert.deepEqual(
      [now.uuid, now.urlPattern, now.visibility, now.status, now.version],
      [old.uuid, '/pumps', 'internal', 'published', old.version + 1],
    );
    const { items } = await listHistory(test.app, acme.operator, {
      ...{ name: String(old.id), page: 1, limit: 10 },
    });
    assert.equal(items[0]?.content, old.content);
    await assert.rejects(entryOf(draft.id), { code: 'not_found' });
    assert.deepEqual(
      (await read(second.batch.id)).entries.map((entry) => entry.id),
      [old.id],
    );
    // A second approval, with the ids from either batch, changes nothing and is not an error.
    assert.equal((await approve(second.batch.id, [draft.id])).approved, 0);
    assert.equal((await approve(first.batch.id, [old.id])).approved, 0);
    await assert.rejects(approve(first.batch.id, [draft.id]), { code: 'unprocessable' });
    const actions = (await rows('audit_log')).map((row) => row['action']);
    assert.ok(actions.includes('entry.replace') && actions.includes('batch.approve'));
  });

  it('keeps a person’s edit of an unchanged section, and offers a draft for a changed one', async () => {
    const first = await publish([chapter(0), chapter(1)]);
    const id = String(first.entries[0]?.id);
    await updateEntry(test.app, acme.operator, id, { content: 'Better said by hand.' });
    const second = await ingest([chapter(0), chapter(2)]);
    assert.equal(second.batch.diff.unchanged, 1);
    assert.equal((await entryOf(first.entries[0]?.id)).content, 'Better said by hand.');
    const third = await ingest([chapter(0, 'It is red now.'), chapter(2)]);
    assert.deepEqual(
      third.entries.map((entry) => [entry.title, entry.replacesId]),
      [
        [titles[0], Number(id)],
        [titles[2], null],
      ],
    );
  });

  it('lists entries of missing sections, and deletes them only on request', async () => {
    const first = await publish([chapter(0), chapter(1)]);
    const second = await ingest([chapter(0)]);
    assert.deepEqual(second.batch.diff, { unchanged: 1, changed: 0, new: 0, gone: 1 });
    const goneId = first.entries[1]?.id;
    assert.deepEqual(
      second.gone.map((entry) => entry.id),
      [goneId],
    );
    assert.deepEqual(await approve(second.batch.id, 'all'), { approved: 0, deleted: 0 });
    assert.equal((await entryOf(goneId)).status, 'published');
    assert.deepEqual(await approve(second.batch.id, [], true), { approved: 0, deleted: 1 });
    await assert.rejects(entryOf(goneId), { code: 'not_found' });
    assert.deepEqual((await read(second.batch.id)).gone, []);
    assert.deepEqual(await approve(second.batch.id, [], true), { approved: 0, deleted: 0 });
  });

  it('protects a section that returns from deletion by an older batch', async () => {
    const first = await publish([chapter(0), chapter(1)]);
    const second = await ingest([chapter(0)]);
    const third = await ingest([chapter(0), chapter(1)]);
    assert.notEqual(third.batch.id, first.batch.id, 'the earlier file is read again');
    assert.deepEqual(third.batch.diff, { unchanged: 2, changed: 0, new: 0, gone: 0 });
    assert.deepEqual(await approve(second.batch.id, [], true), { approved: 0, deleted: 0 });
  });

  it('recognizes entries of all earlier versions', async () => {
    await publish([chapter(0), chapter(1)]);
    await publish([chapter(0), chapter(1), chapter(2)]);
    const third = await ingest([chapter(0, 'It is red now.'), chapter(1), chapter(2)]);
    assert.deepEqual(third.batch.diff, { unchanged: 2, changed: 1, new: 0, gone: 0 });
  });

  it('takes over unchanged drafts, and deletes outdated ones', async () => {
    const first = await ingest([chapter(0), chapter(1), chapter(2)]);
    const second = await ingest([chapter(0), chapter(1, 'It is red now.')]);
    assert.deepEqual(second.batch.diff, { unchanged: 1, changed: 1, new: 0, gone: 0 });
    assert.deepEqual((await read(first.batch.id)).entries, []);
    assert.deepEqual(
      second.entries.map((entry) => [entry.id === first.entries[0]?.id, entry.replacesId]),
      [
        [true, null],
        [false, null],
      ],
    );
    assert.equal((await rows('knowledge_entries')).length, 2);
    assert.equal(await deleteBatch(test.app, acme.operator, first.batch.id), 0);
    assert.equal((await approve(second.batch.id)).approved, 2);
  });

  it('keeps the replacing drafts of a version in between', async () => {
    const first = await publish([chapter(0), chapter(1)]);
    const middle = [chapter(0, 'It is red now.'), chapter(1)];
    await ingest(middle);
    const third = await ingest([...middle, chapter(2)]);
    assert.deepEqual(third.batch.diff, { unchanged: 1, changed: 1, new: 1, gone: 0 });
    assert.equal(third.entries[0]?.replacesId, first.entries[0]?.id);
    assert.equal((await approve(third.batch.id)).approved, 2);
    assert.match((await entryOf(first.entries[0]?.id)).content, /red now/);
  });

  it('is a separate document if it has another name or shares no text', async () => {
    const first = await ingest([chapter(0), chapter(1)]);
    const renamed = await ingest([chapter(0), chapter(2)], { fileName: 'other.pdf' });
    assert.deepEqual(renamed.batch.diff, { unchanged: 0, changed: 0, new: 2, gone: 0 });
    await ingest([chapter(3)]);
    assert.equal((await read(first.batch.id)).entries.length, 2);
  });

  it('is processed after the earlier version', async () => {
    await publish([chapter(0)]);
    const second = await start([chapter(0, 'It is red now.')]);
    const third = await start([chapter(0, 'It is green now.')]);
    const held = await claimBatch(test.app);
    assert.equal(held?.id, second.batch.id);
    assert.equal(await claimBatch(test.app), undefined, 'the third waits for the second');
    clock.advance(test.app.config.ingestion.lease_ms + 1);
    await runDueBatches(test.app, extractor);
    assert.deepEqual((await read(second.batch.id)).entries, []);
    assert.match((await read(third.batch.id)).entries[0]?.content ?? '', /green now/);
  });

  it('changes nothing if it fails, and can be retried', async () => {
    const first = await publish([chapter(0)]);
    const drafts = await ingest([chapter(0), chapter(1)]);
    const { batch } = await start([chapter(0), chapter(2)]);
    for (let attempt = 1; attempt <= 3; attempt++) {
      await claimBatch(test.app);
      clock.advance(test.app.config.ingestion.lease_ms + 1);
    }
    await runDueBatches(test.app, extractor);
    assert.equal((await read(batch.id)).batch.status, 'failed');
    assert.equal((await read(drafts.batch.id)).entries.length, 1);
    await retryBatch(test.app, acme.operator, batch.id);
    await runDueBatches(test.app, extractor);
    const { diff } = (await read(batch.id)).batch;
    assert.deepEqual([diff.unchanged, diff.gone], [1, 0]);
    assert.equal((await entryOf(first.entries[0]?.id)).status, 'published');
  });

  it('is completed after a worker died, without duplicate drafts, and can’t be approved before', async () => {
    const all = [0, 1, 2, 3, 4].map((index) => chapter(index));
    const changed = [0, 1, 2, 3, 4].map((index) => chapter(index, 'It is red now.'));
    const first = await publish(all);
    const { batch } = await start([
      ...changed,
      ...changed.map((each) => ({ ...each, title: `${each.title} again` })),
    ]);
    const dying = await claimBatch(test.app);
    assert.ok(dying);
    const death = new AbortController();
    // The worker dies in its second transaction, which stores the first sections.
    let steps = 0;
    const write = new Proxy(test.app.db.write, {
      get(target, property, receiver) {
        if (property === 'transaction' && ++steps === 2) death.abort(new Error('killed'));
        return Reflect.get(target, property, receiver) as unknown;
      },
    });
    const app = { ...test.app, db: { ...test.app.db, write } };
    await assert.rejects(processBatch(app, extractor, dying, death.signal), /killed/);
    const half = await read(batch.id);
    assert.equal(half.batch.status, 'processing');
    assert.ok(half.entries.length > 0 && half.entries.length < 10);
    await assert.rejects(approve(batch.id), { code: 'conflict' });
    clock.advance(test.app.config.ingestion.lease_ms + 1);
    await runDueBatches(test.app, extractor);
    const done = await read(batch.id);
    assert.equal(done.entries.length, 10);
    assert.equal(done.batch.diff.changed, 5);
    assert.deepEqual(
      done.entries.slice(0, 5).map((entry) => entry.replacesId),
      first.entries.map((entry) => entry.id),
    );
  });

  it('creates no duplicates with force, and restores deleted entries as new drafts', async () => {
    const chapters = [chapter(0), chapter(1)];
    const first = await publish(chapters);
    const forced = await ingest(chapters, { force: true });
    assert.deepEqual(forced.batch.diff, { unchanged: 2, changed: 0, new: 0, gone: 0 });
    await deleteBatch(test.app, acme.operator, forced.batch.id);
    await test.app.db.write('knowledge_entries').where({ id: first.entries[0]?.id }).delete();
    const again = await ingest(chapters, { force: true });
    assert.deepEqual(again.batch.diff, { unchanged: 1, changed: 0, new: 1, gone: 0 });
  });

  it('recognizes entries whose batch was deleted', async () => {
    const first = await publish([chapter(0), chapter(1)]);
    const id = String(first.entries[1]?.id);
    await updateEntry(test.app, acme.operator, id, { status: 'draft' });
    assert.equal(await deleteBatch(test.app, acme.operator, first.batch.id), 0);
    const second = await ingest([chapter(0), chapter(1)]);
    assert.deepEqual(second.batch.diff, { unchanged: 2, changed: 0, new: 0, gone: 0 });
    assert.equal(
      (await entryOf(Number(id))).status,
      'draft',
      'an unpublished entry stays unpublished',
    );
  });

  it('follows a domain that was moved to another app', async () => {
    const first = await publish([chapter(0), chapter(1)]);
    const other = await createApp(test.app, acme.operator, { name: 'Other' });
    const [domain] = await rows('domains');
    await moveDomain(test.app, acme.operator, Number(domain?.['id']), { appId: other.id });
    const second = await ingest([chapter(0), chapter(1, 'It is red now.')]);
    assert.equal(second.batch.appId, other.id);
    assert.deepEqual(second.batch.diff, { unchanged: 1, changed: 1, new: 0, gone: 0 });
    assert.equal(second.entries[0]?.replacesId, first.entries[1]?.id);
  });

  it('is never compared with entries of another organization', async () => {
    const first = await publish([chapter(0)]);
    const globex = await addOrganization(test, 'Globex');
    const bytes = await manualOf([chapter(0), chapter(1)]);
    const input = { fileName: 'manual.pdf', bytes };
    const { batch } = await startIngestion(test.app, globex.operator, input);
    await runDueBatches(test.app, extractor);
    const found = await getBatch(test.app, globex.operator, batch.id);
    assert.deepEqual(found.batch.diff, { unchanged: 0, changed: 0, new: 2, gone: 0 });
    assert.equal((await entryOf(first.entries[0]?.id)).status, 'published');
  });

  it('can’t have its draft published beside the entry that it replaces', async () => {
    await publish([chapter(0)]);
    const second = await ingest([chapter(0, 'It is red now.')]);
    const publishing = updateEntry(test.app, acme.operator, String(second.entries[0]?.id), {
      status: 'published',
    });
    await assert.rejects(publishing, { code: 'conflict' });
  });
});
