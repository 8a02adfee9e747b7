import assert from 'node:assert/strict';
import { approveBatch } from '../../src/ingestion/review/approve-batch.js';
import { presentBatchWithEntries } from '../../src/ingestion/batches/batch.schema.js';
import { describeBatch } from '../../src/ingestion/batches/describe-batch.js';
import {
  createDocumentExtractor,
  type DocumentExtractor,
} from '../../src/documents/extract-document.js';
import { deleteBatch, getBatch, retryBatch } from '../../src/ingestion/review/review-batch.js';
import { runDueBatches } from '../../src/ingestion/worker/run-worker.js';
import { startIngestion, type UploadInput } from '../../src/ingestion/upload/start-ingestion.js';
import { getEntry, listHistory } from '../../src/knowledge/read-entries.js';
import { updateEntry, type EntryUpdate } from '../../src/knowledge/update-entry.js';
import { chapterOf as chapter, manualOf, type Chapter } from '../support/sample-manual.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';

describe('A PDF that is ingested again', () => {
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

  // A PDF contains its creation time, so that each set of chapters must be built once.
  const files = new Map<string, Uint8Array>();
  const bytesOf = async (chapters: Chapter[]) => {
    const key = JSON.stringify(chapters);
    const bytes = files.get(key) ?? (await manualOf(chapters));
    files.set(key, bytes);
    return bytes;
  };
  const start = async (chapters: Chapter[], more: Partial<UploadInput> = {}) => {
    clock.advance(1000);
    const bytes = await bytesOf(chapters);
    const input = { fileName: 'manual.pdf', domain: acme.domain, bytes, ...more };
    return startIngestion(test.app, acme.operator, input);
  };
  const read = (id: string) => getBatch(test.app, acme.operator, id);
  const ingest = async (chapters: Chapter[], more: Partial<UploadInput> = {}) => {
    const { batch, duplicate } = await start(chapters, more);
    assert.equal(duplicate, false, 'the file is read');
    await runDueBatches(test.app, extractor);
    const found = await read(batch.id);
    assert.equal(found.batch.status, 'completed');
    return found;
  };
  const approve = (id: string, entryIds: number[] | 'all' = 'all') =>
    approveBatch(test.app, acme.operator, { batchId: id, entryIds });
  const publish = async (chapters: Chapter[], more: Partial<UploadInput> = {}) => {
    const { batch } = await ingest(chapters, more);
    await approve(batch.id);
    return read(batch.id);
  };
  const entryOf = (id: number | undefined) => getEntry(test.app, acme.operator, String(id));
  const edit = (id: number | undefined, change: EntryUpdate) =>
    updateEntry(test.app, acme.operator, String(id), change);
  const remove = (id: string) => deleteBatch(test.app, acme.operator, id);
  const first = [chapter(0), chapter(1)];
  const changed = [chapter(0, 'It is red now.'), chapter(1)];

  describe('as the same bytes', () => {
    it('returns its batch under any name while its text is current', async () => {
      const { batch } = await publish(first);
      for (const fileName of ['manual.pdf', 'copy.pdf']) {
        const again = await start(first, { fileName });
        assert.deepEqual([again.duplicate, again.batch.id], [true, batch.id]);
      }
    });

    it('is a separate document under another name after a later version', async () => {
      await publish(first);
      await publish(changed);
      const archived = await ingest(first, { fileName: 'manual-2024.pdf' });
      assert.deepEqual(archived.batch.diff, { unchanged: 0, changed: 0, new: 2, gone: 0 });
      assert.equal((await start(first, { fileName: 'manual-2024.pdf' })).duplicate, true);
      // The original name still belongs to the original document.
      const back = await ingest(first);
      assert.deepEqual(back.batch.diff, { unchanged: 1, changed: 1, new: 0, gone: 0 });
    });

    it('is read again while a later version is waiting', async () => {
      await publish(first);
      await start(changed);
      const back = await ingest(first);
      assert.deepEqual(back.batch.diff, { unchanged: 2, changed: 0, new: 0, gone: 0 });
    });

    it('is read again after a later version with approved entries was deleted', async () => {
      await publish(first);
      const second = await publish(changed);
      await remove(second.batch.id);
      const back = await ingest(first);
      assert.deepEqual(back.batch.diff, { unchanged: 1, changed: 1, new: 0, gone: 0 });
    });

    it('is read again after a later version was deleted with the drafts that it had taken over', async () => {
      await ingest([chapter(0), chapter(1), chapter(2)]);
      const second = await ingest([chapter(0), chapter(1, 'It is red now.'), chapter(2)]);
      assert.equal(await remove(second.batch.id), 3);
      const back = await ingest([chapter(0), chapter(1), chapter(2)]);
      assert.equal(back.entries.length, 3);
    });

    it('returns its batch if the later version was never read', async () => {
      const { batch } = await publish(first);
      const later = await start(changed);
      await remove(later.batch.id);
      assert.equal((await start(first)).batch.id, batch.id);
    });

    it('names the newer batch on the outdated one', async () => {
      const old = await ingest(first);
      const id = old.entries[0]?.id ?? 0;
      const second = await ingest(changed);
      const shown = await read(old.batch.id);
      assert.equal(presentBatchWithEntries(shown).superseded_by, second.batch.id);
      assert.match(describeBatch(shown, 100), new RegExp(`outdated: batch ${second.batch.id}`));
      assert.equal(presentBatchWithEntries(second).superseded_by, null);
      await assert.rejects(approve(old.batch.id, [id]), new RegExp(second.batch.id));
    });
  });

  it('can’t be retried after a later version', async () => {
    const { batch } = await start(first);
    const failed = { status: 'failed', error_code: 'timeout', error_message: 'Too slow.' };
    await test.app.db.write('ingestion_batches').where({ id: batch.id }).update(failed);
    const later = await start(changed);
    await assert.rejects(retryBatch(test.app, acme.operator, batch.id), { code: 'conflict' });
    await runDueBatches(test.app, extractor);
    await assert.rejects(retryBatch(test.app, acme.operator, batch.id), new RegExp(later.batch.id));
    await ingest(first);
  });

  it('has unchanged sections if only heading numbers differ', async () => {
    const numbered = (chapters: Chapter[]) =>
      chapters.map((each, index) => ({ ...each, title: `${index + 1} ${each.title}` }));
    const old = await publish(numbered(first));
    assert.match(old.entries[0]?.content ?? '', /^### 1 /, 'the number is a part of the text');
    const second = await ingest(numbered([chapter(2), ...first]));
    assert.deepEqual(second.batch.diff, { unchanged: 2, changed: 0, new: 1, gone: 0 });
  });

  it('has unchanged sections if a section with the same title is inserted before them', async () => {
    const example = (index: number) => ({ ...chapter(index), title: 'Example' });
    await publish([example(0), example(1)]);
    const second = await ingest([example(2), example(0), example(1)]);
    assert.deepEqual(second.batch.diff, { unchanged: 2, changed: 0, new: 1, gone: 0 });
  });

  describe('with entries that a person edited', () => {
    it('keeps an edited draft, which the draft of the changed section replaces', async () => {
      const old = await ingest(first);
      const edited = await edit(old.entries[0]?.id, { content: 'Carefully written by hand.' });
      const second = await ingest(changed);
      assert.equal((await entryOf(edited.id)).content, 'Carefully written by hand.');
      const draft = presentBatchWithEntries(second).entries[0];
      assert.deepEqual([draft?.replaces, draft?.replaces_edited], [edited.id, true]);
      assert.deepEqual(presentBatchWithEntries(second).edited_drafts, [
        { id: edited.id, title: edited.title, batch_id: old.batch.id },
      ]);

      assert.deepEqual(await approve(second.batch.id), { approved: 2, deleted: 0 });
      const now = await entryOf(edited.id);
      assert.equal(now.status, 'published');
      assert.match(now.content, /red now/);
      const input = { name: String(edited.id), page: 1, limit: 10 };
      const { items } = await listHistory(test.app, acme.operator, input);
      assert.ok(items.some((version) => version.content === 'Carefully written by hand.'));
      assert.deepEqual((await read(second.batch.id)).editedDrafts, []);
    });

    it('keeps and lists an edited draft of a missing section', async () => {
      const old = await ingest(first);
      const edited = await edit(old.entries[1]?.id, { content: 'Carefully written by hand.' });
      const second = await ingest([chapter(0), chapter(2)]);
      assert.deepEqual(
        second.editedDrafts.map((entry) => entry.id),
        [edited.id],
      );
      assert.match(describeBatch(second, 100), /edited drafts of earlier versions/);
      const third = await ingest([chapter(0), chapter(2), chapter(3)]);
      assert.deepEqual(
        third.editedDrafts.map((entry) => entry.id),
        [edited.id],
      );
    });

    it('keeps an edited replacing draft beside the next replacing draft', async () => {
      const old = await publish(first);
      const second = await ingest(changed);
      const edited = await edit(second.entries[0]?.id, { title: 'Titled by hand' });
      const third = await ingest([chapter(0, 'It is green now.'), chapter(1)]);
      assert.equal(third.entries[0]?.replacesId, old.entries[0]?.id);
      assert.equal((await entryOf(edited.id)).title, 'Titled by hand');
      assert.equal(third.editedDrafts[0]?.id, edited.id);
      assert.deepEqual(await approve(third.batch.id), { approved: 1, deleted: 0 });
      assert.match((await entryOf(old.entries[0]?.id)).content, /green now/);
    });

    it('publishes an entry that a person has unpublished only by its id', async () => {
      const old = await publish(first);
      const id = old.entries[0]?.id ?? 0;
      await edit(id, { status: 'draft' });
      assert.equal((await approve(old.batch.id)).approved, 0);
      const second = await ingest(changed);
      assert.equal((await approve(second.batch.id)).approved, 0);
      assert.equal((await entryOf(id)).status, 'draft');
      const draft = second.entries[0]?.id ?? 0;
      assert.equal((await approve(second.batch.id, [draft])).approved, 1);
      assert.equal((await entryOf(id)).status, 'published');
    });

    it('shows which entry a draft replaces, and whether a person edited its text', async () => {
      const old = await publish(first);
      await edit(old.entries[0]?.id, { title: 'Pumps, by hand' });
      await edit(old.entries[1]?.id, { urlPattern: '/rooms' });
      const second = await ingest([chapter(0, 'It is red now.'), chapter(1, 'It is red now.')]);
      const shown = presentBatchWithEntries(second).entries;
      assert.deepEqual(
        shown.map((entry) => [entry.replaces_title, entry.replaces_edited]),
        [
          ['Pumps, by hand', true],
          [old.entries[1]?.title, false],
        ],
      );
      assert.match(describeBatch(second, 120), /yes +Pumps, by hand/);
      await approve(second.batch.id);
      // The new text has replaced the edit, so that the next version overwrites no edit.
      const third = await ingest([chapter(0, 'It is green now.'), chapter(1, 'It is red now.')]);
      assert.equal(presentBatchWithEntries(third).entries[0]?.replaces_edited, false);
    });
  });

  describe('with a visibility', () => {
    const tiersOf = async (ids: (number | undefined)[]) =>
      Promise.all(ids.map(async (id) => (await entryOf(id)).visibility));

    it('restricts the document’s existing entries at once, with a version and an audit record', async () => {
      const old = await publish([...first, chapter(2)]);
      const ids = old.entries.map((entry) => entry.id);
      const second = await ingest(changed, { visibility: 'internal' });
      assert.deepEqual(await tiersOf(ids), ['internal', 'internal', 'internal']);
      assert.equal(presentBatchWithEntries(second).visibility_narrowed, 3);
      assert.match(describeBatch(second, 120), /3 earlier entries were open to more/);
      const now = await entryOf(ids[1]);
      assert.deepEqual([now.version, now.visibilityDefaulted], [3, false]);
      const records: { after: string }[] = await test.app.db
        .read('audit_log')
        .where({ action: 'entry.update', subject: `entry:${now.uuid}` })
        .select('after');
      assert.match(records[0]?.after ?? '', /"visibility":"internal"/);
    });

    it('reads the same bytes again to restrict its entries', async () => {
      const old = await publish(first);
      const { batch } = await ingest(first, { visibility: 'authenticated' });
      assert.deepEqual(batch.diff, { unchanged: 2, changed: 0, new: 0, gone: 0 });
      const ids = old.entries.map((entry) => entry.id);
      assert.deepEqual(await tiersOf(ids), ['authenticated', 'authenticated']);
      assert.equal((await start(first, { visibility: 'authenticated' })).duplicate, true);
      assert.equal((await start(first, { visibility: 'public' })).duplicate, true);
    });

    it('never widens the visibility of existing entries, and reports it', async () => {
      const old = await publish(first, { visibility: 'internal' });
      const second = await ingest([...first, chapter(2)], { visibility: 'public' });
      const ids = old.entries.map((entry) => entry.id);
      assert.deepEqual(await tiersOf(ids), ['internal', 'internal']);
      const shown = presentBatchWithEntries(second);
      assert.deepEqual([shown.visibility_narrowed, shown.visibility_kept], [0, 2]);
      assert.match(describeBatch(second, 120), /2 entries stay narrower than public/);
    });

    it('keeps the visibility that a person has restricted, even for a new text', async () => {
      const old = await publish(first);
      await edit(old.entries[0]?.id, { visibility: 'internal' });
      const second = await ingest(changed, { visibility: 'public' });
      assert.equal(presentBatchWithEntries(second).entries[0]?.visibility, 'internal');
      await approve(second.batch.id);
      assert.deepEqual(await tiersOf([old.entries[0]?.id]), ['internal']);
    });

    it('keeps the document’s visibility for a new version without one', async () => {
      const old = await publish(first, { visibility: 'internal' });
      await edit(old.entries[0]?.id, { visibility: 'public' });
      const second = await ingest([
        ...[chapter(0, 'It is red now.'), chapter(1, 'It is red now.'), chapter(2)],
      ]);
      const shown = presentBatchWithEntries(second).entries;
      const tiers = ['public', 'internal', 'internal'];
      assert.deepEqual(
        shown.map((entry) => entry.visibility),
        tiers,
        'a draft shows its later tier',
      );
      await approve(second.batch.id);
      const ids = (await read(second.batch.id)).entries.map((entry) => entry.id);
      assert.deepEqual(await tiersOf(ids), tiers);
      await edit(ids[2], { title: 'Another title' });
      assert.deepEqual(await tiersOf(ids), tiers);
    });

    it('uses the visibility to which a person has restricted all entries', async () => {
      const old = await publish([chapter(0)]);
      await edit(old.entries[0]?.id, { visibility: 'internal' });
      const second = await publish([chapter(0), chapter(2)]);
      assert.equal(second.entries[0]?.visibility, 'internal');
    });

    it('keeps a person’s visibility and address pattern for the draft of a changed section', async () => {
      const old = await ingest(first);
      await edit(old.entries[0]?.id, { visibility: 'internal', urlPattern: '/pumps' });
      const second = await ingest(changed);
      const [draft] = second.entries;
      assert.deepEqual([draft?.visibility, draft?.urlPattern], ['internal', '/pumps']);
      assert.match(draft?.content ?? '', /red now/);
    });

    it('does not affect entries of an unrelated document with the same name', async () => {
      const old = await publish(first);
      await ingest([chapter(3)], { visibility: 'internal' });
      assert.deepEqual(await tiersOf(old.entries.map((entry) => entry.id)), ['public', 'public']);
    });
  });
});
