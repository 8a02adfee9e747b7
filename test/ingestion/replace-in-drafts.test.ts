import assert from 'node:assert/strict';
import { createDocumentExtractor } from '../../src/documents/extract-document.js';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import {
  findInDrafts,
  putTextsBack,
  replaceInDrafts,
} from '../../src/ingestion/review/replace-in-drafts.js';
import { getBatch } from '../../src/ingestion/review/review-batch.js';
import { runDueBatches } from '../../src/ingestion/worker/run-worker.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import { chapterOf, chapterTitles, manualOf } from '../support/sample-manual.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

const foot = 'Back to the contents';

describe('A text that stands in many drafts of a document', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let extractor: ReturnType<typeof createDocumentExtractor>;

  before(async () => {
    extractor = createDocumentExtractor({ workers: 1, workerMemoryMb: 512 });
    test = await openTestApp({ ingestion: { section_min_chars: 0 } });
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

  it('is replaced in open drafts alone, and put back where nobody has changed them since', async () => {
    const batchId = await ingest([0, 1, 2]);
    const before = await drafts(batchId);
    await addFeet(batchId);
    const [published, ...open] = await drafts(batchId);
    const uuid = published?.uuid ?? '';
    await updateEntry(test.app, acme.operator, uuid, { status: 'published' });

    const wanted = { batchId, find: foot, replacement: '', wholeLines: false };
    const seen = await findInDrafts(test.app, acme.operator, wanted);
    assert.deepEqual([seen.found.length, seen.open], [2, 2]);
    const done = await replace(batchId, foot, '', seen);
    assert.deepEqual([done.changed.length, done.refused], [2, []]);
    // A form that is sent again does not change what it has changed.
    await assert.rejects(replace(batchId, foot, '', seen), { code: 'conflict' });
    const [first, ...clean] = await drafts(batchId);
    assert.ok(first?.content.endsWith(foot));
    assert.deepEqual(
      clean.map(({ content, edited }) => [content, edited]),
      before.slice(1).map(({ content }) => [content, true]),
    );

    const [mine, other] = clean;
    await updateEntry(test.app, acme.operator, mine?.uuid ?? '', { content: 'My own text.' });
    const named = clean.map(({ uuid, version }) => ({ name: uuid, version }));
    const undone = await putTextsBack(test.app, acme.operator, named);
    assert.deepEqual(
      undone.refused.map(({ name, error }) => [name, error.code]),
      [[mine?.uuid, 'precondition_failed']],
    );
    const [, kept, back] = await drafts(batchId);
    assert.deepEqual([kept?.content, back?.uuid], ['My own text.', other?.uuid]);
    assert.equal(back?.content, open[1]?.content);
  });

  it('is put back as nobody had edited the draft', async () => {
    const batchId = await ingest([0]);
    const { changed } = await replace(batchId, 'takes', 'has');
    const named = changed.map(({ before: { uuid, version } }) => ({
      name: uuid,
      version: version + 1,
    }));
    await putTextsBack(test.app, acme.operator, named);
    assert.equal((await drafts(batchId))[0]?.edited, false);
  });

  it('is not replaced by more than an entry may hold', async () => {
    const batchId = await ingest([0]);
    const { changed, refused } = await replace(batchId, 'e', 'e'.repeat(2000));
    assert.deepEqual([changed.length, refused.length], [0, 1]);
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
    assert.equal(changed.length, 1);
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
    await assert.rejects(findInDrafts(test.app, other.operator, wanted), { code: 'not_found' });
  });
});
