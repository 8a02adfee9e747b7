import assert from 'node:assert/strict';
import { approveBatch } from '../../src/ingestion/review/approve-batch.js';
import { cutPlaces, joinTexts } from '../../src/ingestion/review/draft-texts.js';
import { mergeDraft } from '../../src/ingestion/review/merge-draft.js';
import { getReviewedDraft } from '../../src/ingestion/review/read-review.js';
import { getBatch } from '../../src/ingestion/review/review-batch.js';
import { splitDraft } from '../../src/ingestion/review/split-draft.js';
import { undoReshaping } from '../../src/ingestion/review/undo-reshaping.js';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import { runDueBatches } from '../../src/ingestion/worker/run-worker.js';
import { enforceRetention } from '../../src/privacy/enforce-retention.job.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
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

describe('A merged or split draft', () => {
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
    return getBatch(test.app, acme.operator, batch.id);
  };
  const shown = async (id: string) => (await getBatch(test.app, acme.operator, id)).entries;
  const texts = async (id: string) =>
    (await shown(id)).map(({ title, content, pageFrom, pageTo }) => ({
      ...{ title, content, pageFrom, pageTo },
    }));
  const approve = (batchId: string) =>
    approveBatch(test.app, acme.operator, { batchId, entryIds: 'all' });
  const merge = (id: number | undefined, more = {}) =>
    mergeDraft(test.app, acme.operator, { name: String(id), ...more });
  const split = (id: number | undefined, position: number, more = {}) =>
    splitDraft(test.app, acme.operator, { name: String(id), position, ...more });
  const undo = (id: number | undefined) =>
    undoReshaping(test.app, acme.operator, { name: String(id) });

  it('is merged with its neighbour, can be undone, and stays merged in the next version', async () => {
    const name = 'merged.pdf';
    const { batch, entries } = await ingest([chapter(0), chapter(1), chapter(2)], name);
    const [first, second, third] = entries;
    const before = await texts(batch.id);
    const wrong = merge(first?.id, { next: third?.id });
    await assert.rejects(wrong, { code: 'conflict' });
    const { entry } = await merge(first?.id, { next: second?.id, ifMatch: '"1"' });
    assert.deepEqual([entry.pageFrom, entry.pageTo, entry.title], [1, 2, 'Cleaning pumps']);
    assert.equal(entry.content, `${first?.content}\n\n${second?.content}`);
    assert.equal((await shown(batch.id)).length, 2);
    await assert.rejects(merge(first?.id, { ifMatch: '"1"' }), { code: 'precondition_failed' });
    const draft = { batchId: batch.id, entryId: entry.id };
    const { undoable } = await getReviewedDraft(test.app, acme.operator, draft);
    assert.equal(undoable, 'merge');

    await undo(first?.id);
    assert.deepEqual(await texts(batch.id), before);
    await merge(first?.id);
    await merge(first?.id);
    assert.equal((await shown(batch.id)).length, 1);
    await assert.rejects(merge(first?.id), { code: 'conflict' });
    // Merges are undone one by one.
    await undo(first?.id);
    await undo(first?.id);
    assert.deepEqual(await texts(batch.id), before);
    await assert.rejects(undo(first?.id), { code: 'not_found' });

    await merge(first?.id);
    await approve(batch.id);
    await assert.rejects(merge(first?.id), { code: 'conflict' });
    const again = await ingest([chapter(3), chapter(0), chapter(1), chapter(2)], name);
    assert.deepEqual(again.batch.diff, { unchanged: 2, changed: 0, new: 1, gone: 0 });
    // If one section of a merged entry changes, all its sections become drafts, so that no text is lost.
    const changed = [chapter(3), chapter(0), chapter(1, 'It is red now.'), chapter(2)];
    const { entries: drafts } = await ingest(changed, name);
    const all = drafts.map(({ content }) => content).join('\n');
    assert.match(all, /Cleaning pumps[^]*red now/);
    assert.equal(drafts.filter(({ replacesId }) => replacesId === first?.id).length, 1);
  });

  it('is split, and stays split in the next version', async () => {
    const name = 'split.pdf';
    const { batch, entries } = await ingest([chapter(0), chapter(1)], name);
    const [first] = entries;
    const before = await texts(batch.id);
    const content = first?.content ?? '';
    // Merging the parts restores the text, at any split position.
    for (const share of [0.1, 0.35, 0.5, 0.9]) {
      await split(first?.id, Math.floor(content.length * share));
      const parts = await shown(batch.id);
      assert.equal(parts.length, 3);
      assert.equal(
        parts
          .slice(0, 2)
          .map((one) => one.content)
          .join('')
          .replaceAll(/\s/g, ''),
        content.replaceAll(/\s/g, ''),
      );
      await merge(first?.id);
      assert.deepEqual(await texts(batch.id), before);
    }
    await split(first?.id, content.indexOf('Cleaning the'), { title: 'By hand' });
    const [one, two] = await shown(batch.id);
    assert.deepEqual([one?.title, two?.title], ['Cleaning pumps', 'By hand']);
    // Parts that are split again keep the order of the text.
    const { second } = await split(two?.id, 200);
    await split(two?.id, 100);
    assert.equal(
      (await shown(batch.id)).findIndex(({ id }) => id === second.id),
      3,
    );
    await approve(batch.id);
    const again = await ingest([chapter(0), chapter(1), chapter(2)], name);
    assert.deepEqual(again.batch.diff, { unchanged: 5, changed: 0, new: 1, gone: 0 });
  });

  it('can be undone for seven days, after which the earlier texts are deleted', async () => {
    const { entries } = await ingest([chapter(0), chapter(1)]);
    const texts = () => test.app.db.read('ingestion_reshaped').pluck('before');
    clock.advance(8 * dayMs);
    await enforceRetention(test.app);
    assert.deepEqual(await texts(), []);
    await merge(entries[0]?.id);
    clock.advance(7 * dayMs - 1000);
    await enforceRetention(test.app);
    assert.equal((await texts()).length, 1);
    clock.advance(2000);
    await assert.rejects(undo(entries[0]?.id), { code: 'not_found' });
    await enforceRetention(test.app);
    assert.deepEqual(await texts(), []);
  });

  it('can’t be undone after one of its drafts was edited', async () => {
    const { batch, entries } = await ingest([chapter(0)]);
    const id = entries[0]?.id;
    const { second } = await split(id, 100);
    await updateEntry(test.app, acme.operator, String(second.id), { title: 'Another' });
    await assert.rejects(undo(id), { code: 'conflict' });
    for (const position of [0, 1_000_000]) {
      await assert.rejects(split(id, position), { code: 'invalid_request' });
    }
    assert.equal((await shown(batch.id)).length, 2);
  });

  it('lists the entry that its second draft would have replaced as missing', async () => {
    const name = 'versions.pdf';
    const old = await ingest([chapter(0), chapter(1)], name);
    await approve(old.batch.id);
    const { batch, entries } = await ingest(
      [chapter(0, 'It is red now.'), chapter(1, 'It is green now.')],
      name,
    );
    const [one, two] = old.entries.map(({ id }) => id);
    const { entry, gone } = await merge(entries[0]?.id);
    assert.deepEqual([entry.replacesId, gone?.id], [one, two]);
    const ids = async () =>
      (await getBatch(test.app, acme.operator, batch.id)).gone.map(({ id }) => id);
    assert.deepEqual(await ids(), [two]);
    await undo(entry.id);
    assert.deepEqual(await ids(), []);
    assert.deepEqual(
      (await shown(batch.id)).map(({ replacesId }) => replacesId),
      [one, two],
    );
  });

  it('has the most restricted visibility of its drafts', async () => {
    const { entries } = await ingest([chapter(0), chapter(1)]);
    const [one, two] = entries.map(({ id }) => String(id));
    await updateEntry(test.app, acme.operator, two ?? '', { visibility: 'internal' });
    const { entry } = await merge(Number(one));
    assert.deepEqual([entry.visibility, entry.visibilityDefaulted], ['internal', false]);
  });

  it('can be changed only in its organization', async () => {
    const { entries } = await ingest([chapter(4), chapter(3)]);
    const { operator } = await addOrganization(test, 'Globex');
    const name = String(entries[0]?.id);
    for (const attempt of [
      () => mergeDraft(test.app, operator, { name }),
      () => splitDraft(test.app, operator, { name, position: 50 }),
      () => undoReshaping(test.app, operator, { name }),
    ]) {
      await assert.rejects(attempt, { code: 'not_found' });
    }
  });

  it('has the title of the second draft as a heading, unless its text begins with it', () => {
    const first = { title: 'Setup › Pumps', content: 'One.' };
    const joined = (title: string, content: string) => joinTexts(first, { title, content });
    assert.equal(joined('Setup › Lamps', 'Two.'), 'One.\n\n### Lamps\n\nTwo.');
    assert.equal(joined('Lamps', '### 2 Lamps\n\nTwo.'), 'One.\n\n### 2 Lamps\n\nTwo.');
    assert.equal(joined('Setup › Pumps (2)', 'Two.'), 'One.\n\nTwo.');
    assert.equal(
      joined('Setup › Pumps › Two pumps…', '- Two pumps run.'),
      'One.\n\n- Two pumps run.',
    );
    assert.deepEqual(cutPlaces('One.\n\nTwo.\nThree.'), [
      { position: 6, line: 'Two.' },
      { position: 11, line: 'Three.' },
    ]);
  });
});
