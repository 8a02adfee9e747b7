import assert from 'node:assert/strict';
import { createDocumentExtractor } from '../../src/documents/extract-document.js';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import { findInDrafts, replaceInDrafts } from '../../src/ingestion/review/replace-in-drafts.js';
import { getBatch } from '../../src/ingestion/review/review-batch.js';
import { listReplacements, undoReplacement } from '../../src/ingestion/review/undo-replacement.js';
import { undoReshaping } from '../../src/ingestion/review/undo-reshaping.js';
import { runDueBatches } from '../../src/ingestion/worker/run-worker.js';
import { updateEntry, type EntryUpdate } from '../../src/knowledge/update-entry.js';
import { dayMs } from '../../src/platform/clock.js';
import { chapterOf, chapterTitles, manualOf } from '../support/sample-manual.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';

const foot = 'Back to the contents';

describe('A text that stands in many drafts of a document', () => {
  let test: TestApp;
  let clock: TestClock;
  let acme: TestOrganization;
  let extractor: ReturnType<typeof createDocumentExtractor>;

  before(async () => {
    extractor = createDocumentExtractor({ workers: 1, workerMemoryMb: 512 });
    clock = createTestClock();
    test = await openTestApp({ ingestion: { section_min_chars: 0 } }, clock);
    acme = await addOrganization(test);
  });
  after(async () => {
    await test.close();
    await extractor.close();
  });

  let files = 0;
  const ingest = async (chapters: number[], fileName = `file-${++files}.pdf`) => {
    const bytes = await manualOf(chapters.map((index) => chapterOf(index)));
    const input = { fileName, domain: acme.domain, bytes };
    const { batch } = await startIngestion(test.app, acme.operator, input);
    clock.advance(1000);
    await runDueBatches(test.app, extractor);
    return batch.id;
  };
  const drafts = async (batchId: string) =>
    (await getBatch(test.app, acme.operator, batchId)).entries;
  const addFeet = async (batchId: string) => {
    for (const { uuid, content } of await drafts(batchId)) {
      await updateEntry(test.app, acme.operator, uuid, { content: `${content}\n\n${foot}` });
    }
  };
  const replace = (batchId: string, find: string, replacement = '', more = {}) =>
    replaceInDrafts(test.app, acme.operator, {
      ...{ batchId, find, replacement, wholeLines: false },
      ...more,
    });
  const find = (batchId: string, text: string, { named = 10, shown = 10 } = {}) => {
    const wanted = { batchId, find: text, replacement: '', wholeLines: false };
    return findInDrafts(test.app, acme.operator, wanted, { named, shown });
  };
  const edit = (uuid: string | undefined, change: EntryUpdate) =>
    updateEntry(test.app, acme.operator, uuid ?? '', change);

  it('is replaced in open drafts alone, and put back where nobody has changed them since', async () => {
    const batchId = await ingest([0, 1, 2]);
    const before = await drafts(batchId);
    await addFeet(batchId);
    const [published, ...open] = await drafts(batchId);
    await edit(published?.uuid, { status: 'published' });

    const seen = await find(batchId, foot);
    assert.deepEqual([seen.changed.total, seen.open, seen.published], [2, 2, 1]);
    const done = await replace(batchId, foot);
    assert.deepEqual([done.changed, done.unchanged, done.refused], [2, 0, []]);
    assert.deepEqual([done.open, done.published], [2, 1]);
    const [first, ...clean] = await drafts(batchId);
    assert.ok(first?.content.endsWith(foot));
    assert.deepEqual(
      clean.map(({ content, edited }) => [content, edited]),
      before.slice(1).map(({ content }) => [content, true]),
    );

    const [mine, other] = clean;
    await edit(mine?.uuid, { content: 'My own text.' });
    const [listed] = await listReplacements(test.app, acme.operator, batchId);
    assert.deepEqual(listed, { id: done.id, find: foot, replacement: '', drafts: 1 });
    const undone = await undoReplacement(test.app, acme.operator, { batchId, id: done.id });
    assert.deepEqual(
      undone.refused.map(({ name, error }) => [name, error.code]),
      [[mine?.uuid, 'precondition_failed']],
    );
    const [, kept, back] = await drafts(batchId);
    assert.deepEqual([kept?.content, back?.uuid], ['My own text.', other?.uuid]);
    assert.equal(back?.content, open[1]?.content);
    assert.deepEqual(await listReplacements(test.app, acme.operator, batchId), []);
  });

  it('is put back as nobody had edited the draft, alone or with all others, for seven days', async () => {
    const batchId = await ingest([0, 1, 2]);
    const before = await drafts(batchId);
    const old = await replace(batchId, 'takes', 'has');
    const { id } = await replace(batchId, 'has', 'gets');
    const undo = (id: string) => undoReplacement(test.app, acme.operator, { batchId, id });
    const [, second] = before;
    await undoReshaping(test.app, acme.operator, { name: second?.uuid ?? '' });
    assert.ok((await drafts(batchId))[1]?.content.includes('has'));
    // The older replacement can be undone again once the newer one is.
    assert.equal((await undo(old.id)).changed, 1);
    assert.equal((await undo(id)).changed, 2);
    assert.equal((await undo(old.id)).changed, 2);
    const texts = (all: typeof before) => all.map(({ content, edited }) => [content, edited]);
    assert.deepEqual(texts(await drafts(batchId)), texts(before));

    await replace(batchId, 'takes', 'has');
    assert.equal((await listReplacements(test.app, acme.operator, batchId)).length, 1);
    clock.advance(8 * dayMs);
    assert.deepEqual(await listReplacements(test.app, acme.operator, batchId), []);
  });

  it('is replaced in the named drafts alone, as they were read', async () => {
    const batchId = await ingest([0, 1, 2]);
    const other = await ingest([3]);
    await addFeet(batchId);
    const { changed } = await find(batchId, foot, { named: 2, shown: 1 });
    assert.deepEqual([changed.total, changed.first.length], [3, 2]);
    const [first, second] = changed.first;
    assert.ok(first?.texts?.[0].content.endsWith(foot));
    assert.equal(second?.texts, undefined);
    await edit(second?.uuid, { title: 'Another title' });
    const [foreign] = await drafts(other);
    const named = changed.first.map(({ uuid, version }) => ({ name: uuid, version }));
    const done = await replace(batchId, foot, '', {
      drafts: [...named, { name: String(foreign?.id) }],
    });
    assert.equal(done.changed, 1);
    assert.deepEqual(
      done.refused.map(({ name, error }) => [name, error.code]),
      [
        [second?.uuid, 'precondition_failed'],
        [foreign?.uuid, 'not_found'],
      ],
    );
    const contents = (await drafts(batchId)).map(({ content }) => content.endsWith(foot));
    assert.deepEqual(contents, [false, true, true]);
  });

  it('stays in a draft of which only its heading would be left', async () => {
    const batchId = await ingest([0, 1]);
    const [first] = await drafts(batchId);
    await edit(first?.uuid, { content: `## Contents\n\n[${foot}](#top)` });
    const { changed, emptied } = await find(batchId, foot);
    assert.deepEqual([changed.total, emptied.total], [0, 1]);
    assert.equal(emptied.first[0]?.id, first?.id);
    const done = await replace(batchId, foot);
    assert.deepEqual([done.changed, done.unchanged], [0, 1]);
    assert.deepEqual(
      done.refused.map(({ id, error }) => [id, error.reason]),
      [[first?.id, { is: 'left_empty' }]],
    );
  });

  it('is not replaced by more than an entry may hold', async () => {
    const batchId = await ingest([0]);
    const { changed, refused } = await replace(batchId, 'e', 'e'.repeat(2000));
    assert.deepEqual([changed, refused.length], [0, 1]);
    assert.equal(refused[0]?.error.code, 'invalid_request');
  });

  it('is replaced in titles, and a draft that would have none is refused', async () => {
    const batchId = await ingest([0, 1]);
    const [first = '', second = ''] = chapterTitles;
    for (const { uuid, title } of await drafts(batchId)) {
      const given = title === first ? 'by: Ann' : `by: Ann › ${title}`;
      await updateEntry(test.app, acme.operator, uuid, { title: given });
    }
    const { changed, refused } = await replace(batchId, 'by: Ann');
    assert.equal(changed, 1);
    assert.deepEqual(
      refused.map(({ title, error }) => [title, error.code]),
      [['by: Ann', 'invalid_request']],
    );
    assert.deepEqual(
      (await drafts(batchId)).map(({ title }) => title),
      ['by: Ann', second],
    );
    await replace(batchId, 'by: Ann', '$& Pumps');
    assert.equal((await drafts(batchId))[0]?.title, '$& Pumps');
  });

  it('is not looked for without a text, in a batch that was read again, or by a stranger', async () => {
    const name = 'manual.pdf';
    const old = await ingest([0], name);
    await assert.rejects(replace(old, ' \n'), { code: 'invalid_request' });
    await assert.rejects(replace(old, foot, foot), { code: 'invalid_request' });
    await ingest([0, 1], name);
    await assert.rejects(replace(old, foot), { code: 'conflict' });
    const other = await addOrganization(test, 'Globex');
    const wanted = { batchId: old, find: foot, replacement: '', wholeLines: false };
    const shown = { named: 1, shown: 1 };
    const missing = { code: 'not_found' };
    await assert.rejects(findInDrafts(test.app, other.operator, wanted, shown), missing);
    await assert.rejects(replaceInDrafts(test.app, other.operator, wanted), missing);
    await assert.rejects(listReplacements(test.app, other.operator, old), missing);
    const undo = { batchId: old, id: 'x' };
    await assert.rejects(undoReplacement(test.app, other.operator, undo), missing);
  });
});
