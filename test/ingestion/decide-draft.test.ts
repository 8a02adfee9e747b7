import assert from 'node:assert/strict';
import { etagOf } from '../../src/knowledge/entry.js';
import { listEntries, getEntry } from '../../src/knowledge/read-entries.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import { matchAllWords } from '../../src/search/ranking/match-all-words.js';
import { approveBatch } from '../../src/ingestion/review/approve-batch.js';
import {
  acceptDraft,
  rejectDraft,
  takeBackApproval,
  takeBackRejection,
} from '../../src/ingestion/review/decide-draft.js';
import { getReview, getReviewedDraft } from '../../src/ingestion/review/read-review.js';
import { deleteBatch } from '../../src/ingestion/review/review-batch.js';
import { enforceRetention } from '../../src/privacy/enforce-retention.job.js';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import { runDueBatches } from '../../src/ingestion/worker/run-worker.js';
import {
  createDocumentExtractor,
  type DocumentExtractor,
} from '../../src/documents/extract-document.js';
import { chapterOf as chapter, manualOf, type Chapter } from '../support/sample-manual.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';

const dayMs = 24 * 3600 * 1000;

describe('A decision about a draft', () => {
  let test: TestApp;
  let clock: TestClock;
  let acme: TestOrganization;
  let extractor: DocumentExtractor;

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
  const ingest = async (chapters: Chapter[], fileName = `file-${++files}.pdf`) => {
    clock.advance(1000);
    const input = { fileName, domain: acme.domain, bytes: await manualOf(chapters) };
    const { batch } = await startIngestion(test.app, acme.operator, input);
    await runDueBatches(test.app, extractor);
    return review(batch.id);
  };
  const review = (id: string) => getReview(test.app, acme.operator, id);
  const draft = (batchId: string, entryId: number) =>
    getReviewedDraft(test.app, acme.operator, { batchId, entryId });
  const decision = async (batchId: string, entryId: number) => ({
    ...{ batchId, entryId },
    ifMatch: (await draft(batchId, entryId)).etag ?? '',
  });
  const states = async (id: string) => (await review(id)).drafts.map(({ state }) => state);

  it('keeps a rejected draft only in its batch, and can be undone unchanged', async () => {
    const { batch, drafts } = await ingest([chapter(0), chapter(1), chapter(2)]);
    const [, second] = drafts;
    assert.ok(second);
    const before = await getEntry(test.app, acme.operator, String(second.id));
    const word = 'setting1';
    const found = () => matchAllWords(test.app, acme.operator.organizationId, ['public'], word);
    await rejectDraft(test.app, acme.operator, await decision(batch.id, second.id));
    assert.deepEqual(await states(batch.id), ['draft', 'rejected', 'draft']);
    assert.deepEqual(await found(), []);
    await assert.rejects(getEntry(test.app, acme.operator, String(second.id)), /no knowledge/);
    const { items } = await listEntries(test.app, acme.operator, { page: 1, limit: 100 });
    assert.ok(items.every(({ title }) => title !== second.title));
    assert.equal((await draft(batch.id, second.id)).draft.content, before.content);
    // A draft can't be rejected twice.
    await assert.rejects(
      rejectDraft(test.app, acme.operator, {
        ...second,
        batchId: batch.id,
        entryId: second.id,
        ifMatch: '"1"',
      }),
      /no knowledge entry/,
    );

    const restored = await takeBackRejection(test.app, acme.operator, {
      ...{ batchId: batch.id, entryId: second.id },
    });
    const { id, version, changedBy, updatedAt, ...same } = restored;
    const { id: _id, version: _version, changedBy: _by, updatedAt: _at, ...was } = before;
    assert.deepEqual(same, was);
    assert.deepEqual([version, changedBy], [1, 'operator']);
    assert.ok(updatedAt >= before.updatedAt);
    assert.deepEqual(
      (await review(batch.id)).drafts.map(({ title }) => title),
      drafts.map(({ title }) => title),
    );
    assert.equal((await found()).length, 1);
    await acceptDraft(test.app, acme.operator, await decision(batch.id, id));
    assert.deepEqual(await states(batch.id), ['draft', 'accepted', 'draft']);
  });

  it('can be undone for seven days', async () => {
    const { batch, drafts } = await ingest([chapter(0), chapter(1)]);
    const [first, second] = drafts.map(({ id }) => id);
    assert.ok(first !== undefined && second !== undefined);
    await rejectDraft(test.app, acme.operator, await decision(batch.id, first));
    clock.advance(7 * dayMs - 1000);
    assert.deepEqual(await states(batch.id), ['rejected', 'draft']);
    clock.advance(2000);
    assert.deepEqual(await states(batch.id), ['draft']);
    const late = { batchId: batch.id, entryId: first };
    await assert.rejects(takeBackRejection(test.app, acme.operator, late), /not rejected lately/);
    // The retention job deletes it permanently.
    assert.equal(await enforceRetention(test.app), 1);
    await rejectDraft(test.app, acme.operator, await decision(batch.id, second));
    const rows = await test.app.db.read('ingestion_rejected').pluck('entry_id');
    assert.deepEqual(rows, [second]);
    await deleteBatch(test.app, acme.operator, batch.id);
    assert.deepEqual(await test.app.db.read('ingestion_rejected').pluck('entry_id'), []);
  });

  it('is refused for a stale version, and for an entry of another batch', async () => {
    const { batch, drafts } = await ingest([chapter(0)]);
    const other = await ingest([chapter(1)]);
    const id = drafts[0]?.id ?? 0;
    const read = await decision(batch.id, id);
    const foreign = { ...read, batchId: other.batch.id };
    for (const decide of [acceptDraft, rejectDraft, takeBackApproval]) {
      await assert.rejects(decide(test.app, acme.operator, foreign), { code: 'not_found' });
    }
    await updateEntry(test.app, acme.operator, String(id), { title: 'Another title' });
    for (const decide of [acceptDraft, rejectDraft]) {
      await assert.rejects(decide(test.app, acme.operator, read), { code: 'precondition_failed' });
    }
    await acceptDraft(test.app, acme.operator, await decision(batch.id, id));
    assert.deepEqual(await states(batch.id), ['accepted']);
    const published = await decision(batch.id, id);
    await assert.rejects(rejectDraft(test.app, acme.operator, published), { code: 'conflict' });
    await takeBackApproval(test.app, acme.operator, published);
    assert.deepEqual(await states(batch.id), ['draft']);
    assert.equal((await draft(batch.id, id)).takenBack, true);
  });

  it('is possible only in the batch’s organization', async () => {
    const { batch, drafts } = await ingest([chapter(3)]);
    const id = drafts[0]?.id ?? 0;
    const read = await decision(batch.id, id);
    const { operator: stranger } = await addOrganization(test, 'Globex');
    await rejectDraft(test.app, acme.operator, read);
    for (const attempt of [
      () => getReview(test.app, stranger, batch.id),
      () => getReviewedDraft(test.app, stranger, { batchId: batch.id, entryId: id }),
      () => takeBackRejection(test.app, stranger, read),
      () => rejectDraft(test.app, stranger, read),
    ]) {
      await assert.rejects(attempt, { code: 'not_found' });
    }
    const reader = { kind: 'user', organizationId: 1, userId: 1, role: 'user' } as const;
    await assert.rejects(takeBackRejection(test.app, reader, read), { code: 'forbidden' });
  });

  it('is listed with its batch, even if the draft has replaced an entry', async () => {
    const first = await ingest([chapter(0), chapter(1)], 'manual.pdf');
    await approveBatch(test.app, acme.operator, { batchId: first.batch.id, entryIds: 'all' });
    assert.deepEqual(await states(first.batch.id), ['accepted', 'accepted']);
    const changed = [chapter(0), chapter(1, 'The lamp turns green now.'), chapter(2)];
    const { batch, drafts } = await ingest(changed, 'manual.pdf');
    // An unchanged entry needs no decision.
    assert.equal(drafts.length, 2);
    const replacing = drafts.find(({ replacesId }) => replacesId !== null);
    const shown = await draft(batch.id, replacing?.id ?? 0);
    assert.equal(shown.replaced?.id, replacing?.replacesId);
    await rejectDraft(test.app, acme.operator, await decision(batch.id, shown.id));
    const { id } = await takeBackRejection(test.app, acme.operator, {
      ...{ batchId: batch.id, entryId: shown.id },
    });
    assert.equal((await draft(batch.id, id)).replaced?.id, replacing?.replacesId);
    await acceptDraft(test.app, acme.operator, await decision(batch.id, id));
    assert.deepEqual((await states(batch.id)).sort(), ['accepted', 'draft']);
    const entry = await getEntry(test.app, acme.operator, String(replacing?.replacesId));
    assert.match(entry.content, /lamp turns green/);
    const accepted = await draft(batch.id, entry.id);
    assert.deepEqual([accepted.etag, accepted.mayBeTakenBack], [etagOf(entry), false]);
  });

  it('can’t be undone in an outdated batch', async () => {
    const { batch, drafts } = await ingest([chapter(0), chapter(1)], 'guide.pdf');
    const id = drafts[0]?.id ?? 0;
    await rejectDraft(test.app, acme.operator, await decision(batch.id, id));
    await ingest([chapter(0), chapter(1, 'A line more.')], 'guide.pdf');
    const back = { batchId: batch.id, entryId: id };
    await assert.rejects(takeBackRejection(test.app, acme.operator, back), { code: 'conflict' });
  });
});
