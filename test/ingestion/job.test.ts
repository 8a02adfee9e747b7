import assert from 'node:assert/strict';
import { processBatch } from '../../src/ingestion/worker/process-batch.job.js';
import {
  claimBatch,
  endBatch,
  LeaseLost,
  saveProgress,
} from '../../src/ingestion/worker/lease.repository.js';
import { inTransaction } from '../../src/platform/db/in-transaction.js';
import { AppError } from '../../src/platform/errors.js';
import {
  createDocumentExtractor,
  type DocumentExtractor,
} from '../../src/documents/extract-document.js';
import { deleteBatch, getBatch, retryBatch } from '../../src/ingestion/review/review-batch.js';
import { approveBatch } from '../../src/ingestion/review/approve-batch.js';
import { runDueBatches } from '../../src/ingestion/worker/run-worker.js';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import { explainEntries } from '../../src/answers/explain-entries.js';
import { nameOfEndedProcess } from '../support/ended-process.js';
import { chapterTitle, sampleManual } from '../support/sample-manual.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('The ingestion job', () => {
  let test: TestApp;
  let clock: TestClock;
  let acme: TestOrganization;
  let extractor: DocumentExtractor;
  let manual: Uint8Array;

  before(async () => {
    extractor = createDocumentExtractor({ workers: 2, workerMemoryMb: 512 });
    manual = await sampleManual(24);
  });
  after(() => extractor.close());

  beforeEach(async () => {
    clock = createTestClock();
    test = await openTestApp({}, clock);
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const upload = async (bytes = manual, more: { force?: boolean } = {}) => {
    const input = { fileName: 'manual.pdf', bytes, domain: acme.domain, ...more };
    return startIngestion(test.app, acme.operator, input);
  };
  const read = (id: string) => getBatch(test.app, acme.operator, id);
  const countRows = async (table: string) => {
    const row = (await test.app.db.read(table).count({ count: '*' }).first()) as { count: number };
    return row.count;
  };

  it('stores every chapter as a draft with its pages, which search finds only after approval', async () => {
    const { batch } = await upload();
    assert.equal(batch.status, 'processing');
    assert.equal(await runDueBatches(test.app, extractor), 1);
    const done = await read(batch.id);
    assert.equal(done.batch.status, 'completed');
    assert.equal(done.batch.error, null);
    assert.equal(done.batch.totalPages, 24);
    assert.equal(done.batch.processedChunks, done.batch.totalChunks);
    assert.equal(done.entries.length, 24);
    assert.deepEqual(
      done.entries.map((entry) => [entry.title, entry.pageFrom, entry.pageTo, entry.status]),
      Array.from({ length: 24 }, (_, index) => [
        chapterTitle(index + 1, 'pump'),
        index + 1,
        index + 1,
        'draft',
      ]),
    );
    const question = { text: 'setting S7x3', page: 1, limit: 5 };
    const search = async () => (await explainEntries(test.app, acme.operator, question)).found;
    assert.deepEqual(await search(), []);
    const { approved } = await approveBatch(test.app, acme.operator, {
      batchId: batch.id,
      entryIds: 'all',
    });
    assert.equal(approved, 24);
    const [first] = await search();
    assert.equal(first?.entry.title, chapterTitle(7, 'pump'));
  });

  it('returns the earlier batch for the same bytes, app and domain', async () => {
    const [first, second] = await Promise.all([upload(), upload()]);
    assert.equal(first.batch.id, second.batch.id);
    assert.deepEqual([first.duplicate, second.duplicate].sort(), [false, true]);
    assert.equal((await upload(manual, { force: true })).duplicate, false);
    const elsewhere = await startIngestion(test.app, acme.operator, {
      fileName: 'manual.pdf',
      bytes: manual,
    });
    assert.equal(elsewhere.duplicate, false);
  });

  it('continues after a worker died, without a duplicate or lost entry', async () => {
    const { batch } = await upload();
    const dying = await claimBatch(test.app);
    assert.ok(dying);
    // The abort signal simulates the death of the process, so that the lease is not returned.
    const death = new AbortController();
    const watched = watchChunks(test, () => death.abort(new Error('killed')));
    await assert.rejects(processBatch(watched, extractor, dying, death.signal), /killed/);
    const half = await read(batch.id);
    assert.ok(half.batch.processedChunks > 0 && half.batch.processedChunks < 24);
    assert.equal(half.entries.length, half.batch.processedChunks);

    assert.equal(await runDueBatches(test.app, extractor), 0, 'the lease still holds');
    clock.advance(test.app.config.ingestion.lease_ms + 1);
    assert.equal(await runDueBatches(test.app, extractor), 1);
    const done = await read(batch.id);
    assert.equal(done.batch.status, 'completed');
    assert.equal(done.entries.length, 24);
    assert.equal(new Set(done.entries.map((entry) => entry.title)).size, 24);
    assert.equal(await countRows('passages'), 24);
  });

  it('continues at once after a worker’s process on this machine has ended', async () => {
    const { batch } = await upload();
    assert.ok(await claimBatch(test.app));
    const { write } = test.app.db;
    const lease_token = `${await nameOfEndedProcess()}.x`;
    assert.equal(await runDueBatches(test.app, extractor), 0, 'this process runs');
    await write('ingestion_batches').where({ id: batch.id }).update({ lease_token });
    assert.equal(await runDueBatches(test.app, extractor), 1);
    assert.equal((await read(batch.id)).batch.status, 'completed');
  });

  it('lets a worker without its lease write nothing more', async () => {
    const { batch } = await upload();
    const slow = await claimBatch(test.app);
    assert.ok(slow);
    clock.advance(test.app.config.ingestion.lease_ms + 1);
    const taker = await claimBatch(test.app);
    assert.equal(taker?.attempts, 2);
    assert.equal(await saveProgress(test.app, slow, { processedChunks: 9 }), false);
    await assert.rejects(processBatch(test.app, extractor, slow, new AbortController().signal));
    assert.equal((await read(batch.id)).entries.length, 0);
  });

  it('counts pages by the time that has passed, even if the clock is set back meanwhile', async () => {
    const { batch } = await upload();
    const leased = await claimBatch(test.app);
    assert.ok(leased);
    const counted: number[] = [];
    const reader: DocumentExtractor = {
      ...extractor,
      async extract(bytes, options, hooks) {
        for (const [done, ms] of [
          [1, 0],
          [2, -3_600_000],
          [3, 300],
        ] as const) {
          clock.advance(ms);
          hooks.onPages(done, 24);
          // It waits in line behind the writing of the count.
          await inTransaction(test.app, () => Promise.resolve());
          counted.push((await read(batch.id)).batch.processedPages);
        }
        return extractor.extract(bytes, options, { ...hooks, onPages: () => undefined });
      },
    };
    await processBatch(test.app, reader, leased, new AbortController().signal);
    assert.deepEqual(counted, [0, 0, 3]);
  });

  for (const code of ['timeout', 'out_of_memory'] as const) {
    it(`tries a file only once that fails with ${code}`, async () => {
      const { batch } = await upload();
      const failing: DocumentExtractor = {
        extract: () => Promise.reject(new AppError(code, 'It is the fault of the file.')),
        close: () => Promise.resolve(),
      };
      assert.equal(await runDueBatches(test.app, failing), 1);
      const { status, error } = (await read(batch.id)).batch;
      assert.deepEqual([status, error?.code], ['failed', code]);
      clock.advance(60_000);
      assert.equal(await runDueBatches(test.app, failing), 0);
    });
  }

  it('reads a file alone in its second attempt, as another one may have caused the failure', async () => {
    await upload();
    const alone: (boolean | undefined)[] = [];
    const failing: DocumentExtractor = {
      extract: (_bytes, _options, hooks) => {
        alone.push(hooks.alone);
        return Promise.reject(new AppError('internal', 'The process took too much memory.'));
      },
      close: () => Promise.resolve(),
    };
    await runDueBatches(test.app, failing);
    clock.advance(60_000);
    await runDueBatches(test.app, failing);
    assert.deepEqual(alone, [false, true]);
  });

  it('stores a file once that is ingested by force after a run with it was broken off', async () => {
    const { batch: first } = await upload();
    const leased = await claimBatch(test.app);
    assert.ok(leased);
    const { batch: forced } = await upload(manual, { force: true });
    await assert.rejects(
      processBatch(test.app, extractor, leased, new AbortController().signal),
      LeaseLost,
    );
    assert.equal(await runDueBatches(test.app, extractor), 1);
    const [ended, done] = [await read(first.id), await read(forced.id)];
    assert.deepEqual([ended.batch.status, ended.entries.length], ['failed', 0]);
    assert.equal(done.batch.status, 'completed');
    assert.equal(done.entries.length, done.batch.totalChunks);
    assert.ok(done.entries.length > 0);
  });

  it('fails a batch after three workers died, and can retry it', async () => {
    const { batch } = await upload();
    for (let attempt = 1; attempt <= 3; attempt++) {
      assert.equal((await claimBatch(test.app))?.attempts, attempt);
      clock.advance(test.app.config.ingestion.lease_ms + 1);
    }
    assert.equal(await runDueBatches(test.app, extractor), 0);
    const failed = await read(batch.id);
    assert.equal(failed.batch.status, 'failed');
    assert.equal(failed.batch.error?.code, 'internal');
    assert.match(failed.batch.error.message, /stopped 3 times/);

    await retryBatch(test.app, acme.operator, batch.id);
    assert.equal(await runDueBatches(test.app, extractor), 1);
    assert.equal((await read(batch.id)).batch.status, 'completed');
    await assert.rejects(retryBatch(test.app, acme.operator, batch.id), { code: 'conflict' });
  });

  it('processes organizations in turn, even if one has uploaded more', async () => {
    const globex = await addOrganization(test, 'Globex');
    const uploadFor = async ({ operator }: TestOrganization, count: number) => {
      const bytes = await sampleManual(1, `pump ${count}`);
      await startIngestion(test.app, operator, { fileName: `${count}.pdf`, bytes });
      clock.advance(1000);
    };
    for (let count = 0; count < 5; count++) await uploadFor(acme, count);
    for (let count = 0; count < 2; count++) await uploadFor(globex, count);
    const claim = async () => {
      const batch = await claimBatch(test.app);
      assert.ok(batch !== undefined);
      const name = batch.organizationId === globex.operator.organizationId ? 'globex' : 'acme';
      return { batch, name: `${name} ${batch.fileName}` };
    };
    // With one thread, the organizations take turns.
    const turns: string[] = [];
    for (let count = 0; count < 3; count++) {
      const { batch, name } = await claim();
      turns.push(name);
      await endBatch(test.app, batch, null);
    }
    assert.deepEqual(turns, ['acme 0.pdf', 'globex 0.pdf', 'acme 1.pdf']);
    // A thread that becomes free while another one works for acme takes a batch of globex.
    const held = [await claim(), await claim()];
    assert.deepEqual(
      held.map(({ name }) => name),
      ['globex 1.pdf', 'acme 2.pdf'],
    );
    const [first] = held;
    if (first !== undefined) await endBatch(test.app, first.batch, null);
    await uploadFor(globex, 2);
    assert.equal((await claim()).name, 'globex 2.pdf');
  });

  it('takes a small file before a large one that waits longer, in the lanes for small files', async () => {
    const uploadAs = async (fileName: string) => {
      const bytes = await sampleManual(1, fileName);
      await startIngestion(test.app, acme.operator, { fileName, bytes });
      clock.advance(1000);
    };
    await uploadAs('large.pdf');
    await test.app.db.write('ingestion_batches').update({ file_size: 3_000_000 });
    await uploadAs('small.pdf');
    assert.equal((await claimBatch(test.app, 2_000_000))?.fileName, 'small.pdf');
    assert.equal(await claimBatch(test.app, 2_000_000), undefined);
    assert.equal((await claimBatch(test.app))?.fileName, 'large.pdf');
  });

  it('returns the lease at once when it is stopped, and does not count the attempt', async () => {
    const { batch } = await upload();
    const stopping = new AbortController();
    const watched = watchChunks(test, () => stopping.abort(new Error('stopping')));
    await runDueBatches(watched, extractor, stopping.signal);
    assert.equal((await read(batch.id)).batch.attempts, 0);
    assert.equal(await runDueBatches(test.app, extractor), 1);
    assert.equal((await read(batch.id)).entries.length, 24);
  });

  it('deletes a batch with its drafts and its upload, and keeps approved entries', async () => {
    const { batch } = await upload();
    await runDueBatches(test.app, extractor);
    const { entries } = await read(batch.id);
    const kept = entries.slice(0, 2).map((entry) => entry.id);
    await approveBatch(test.app, acme.operator, { batchId: batch.id, entryIds: kept });
    assert.equal(await deleteBatch(test.app, acme.operator, batch.id), 22);
    await assert.rejects(read(batch.id), { code: 'not_found' });
    assert.equal(await countRows('knowledge_entries'), 2);
    assert.equal(await countRows('passages'), 2);
    assert.equal(await countRows('ingestion_uploads'), 0);
  });

  it('stops if its batch is deleted meanwhile, and leaves no rows', async () => {
    const { batch } = await upload();
    let deleting: Promise<unknown> = Promise.resolve();
    const watched = watchChunks(test, () => {
      deleting = deleteBatch(test.app, acme.operator, batch.id);
    });
    await runDueBatches(watched, extractor);
    await deleting;
    assert.equal(await countRows('ingestion_batches'), 0);
    assert.equal(await countRows('knowledge_entries'), 0);
  });

  it('approves nothing if one of the ids belongs to another batch', async () => {
    const { batch } = await upload();
    const other = await startIngestion(test.app, acme.operator, {
      fileName: 'other.pdf',
      bytes: await sampleManual(2, 'valve'),
    });
    await runDueBatches(test.app, extractor);
    const ids = (await read(batch.id)).entries.map((entry) => entry.id);
    const foreign = (await read(other.batch.id)).entries[0]?.id ?? 0;
    const mixed = { batchId: batch.id, entryIds: [...ids.slice(0, 3), foreign] };
    await assert.rejects(approveBatch(test.app, acme.operator, mixed), { code: 'unprocessable' });
    assert.ok((await read(batch.id)).entries.every((entry) => entry.status === 'draft'));
    const own = { batchId: batch.id, entryIds: ids.slice(0, 3) };
    assert.equal((await approveBatch(test.app, acme.operator, own)).approved, 3);
    assert.equal(
      (await approveBatch(test.app, acme.operator, own)).approved,
      0,
      'a second approval changes nothing',
    );
  });

  it('gives entries the tier of the upload, or else the app’s default', async () => {
    await test.app.db.write('apps').update({ default_knowledge_visibility: 'internal' });
    const { batch } = await upload(await sampleManual(1, 'fan'));
    const chosen = await startIngestion(test.app, acme.operator, {
      fileName: 'x.pdf',
      bytes: await sampleManual(1, 'belt'),
      visibility: 'authenticated',
    });
    await runDueBatches(test.app, extractor);
    assert.equal((await read(batch.id)).entries[0]?.visibility, 'internal');
    assert.equal((await read(batch.id)).entries[0]?.scope, 'domain_global');
    assert.equal((await read(chosen.batch.id)).entries[0]?.visibility, 'authenticated');
    assert.equal((await read(chosen.batch.id)).entries[0]?.scope, 'app_global');
  });
});

/** The app of a test that calls `then` once, after the first chunks of a batch are stored. */
function watchChunks({ app }: TestApp, then: () => void): TestApp['app'] {
  let called = false;
  const write = new Proxy(app.db.write, {
    get(target, property, receiver) {
      if (property !== 'transaction') return Reflect.get(target, property, receiver) as unknown;
      return async (...args: Parameters<typeof target.transaction>) => {
        const result: unknown = await target.transaction(...args);
        const row = (await app.db
          .read('ingestion_batches')
          .max({ chunks: 'processed_chunks' })
          .first()) as {
          chunks: number | null;
        };
        if (!called && (row.chunks ?? 0) > 0) {
          called = true;
          then();
        }
        return result;
      };
    },
  });
  return { ...app, db: { ...app.db, write } };
}
