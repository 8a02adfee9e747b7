import assert from 'node:assert/strict';
import {
  createDocumentExtractor,
  type DocumentExtractor,
} from '../../src/documents/extract-document.js';
import { getBatch } from '../../src/ingestion/review/review-batch.js';
import { runDueBatches } from '../../src/ingestion/worker/run-worker.js';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import { type Batch } from '../../src/ingestion/batches/batch.js';
import { sampleManual } from '../support/sample-manual.js';
import { addOrganization, openTestApp, type TestApp } from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import type { TestOrganization } from '../support/test-app.js';
import { hostileFiles } from '../pdf/hostile/hostile-files.js';

describe('A hostile file among others', function () {
  this.timeout(300_000);
  let test: TestApp;
  let clock: TestClock;
  let acme: TestOrganization;
  let extractor: DocumentExtractor;

  const open = async (workerMemoryMb: number, page_timeout_ms: number) => {
    clock = createTestClock();
    test = await openTestApp({ ingestion: { page_timeout_ms } }, clock);
    acme = await addOrganization(test);
    extractor = createDocumentExtractor({ workers: 2, workerMemoryMb });
  };
  afterEach(async () => {
    await extractor.close();
    await test.close();
  });

  const upload = async (fileName: string, bytes: Uint8Array): Promise<string> => {
    const input = { fileName, bytes, domain: acme.domain };
    return (await startIngestion(test.app, acme.operator, input)).batch.id;
  };
  const read = async (id: string): Promise<Batch> =>
    (await getBatch(test.app, acme.operator, id)).batch;

  /** Only the hostile file has `pageTimeoutMs`: on a busy machine an honest page may take longer than it on a fast one. */
  async function runBeside(
    hostile: string,
    pageTimeoutMs?: number,
  ): Promise<{ bad: Batch; good: Batch }> {
    const bytes = hostileFiles[hostile]?.();
    assert.ok(bytes);
    const extract = extractor.extract.bind(extractor);
    extractor.extract = (file, options, hooks) => {
      const isHostile = file.byteLength === bytes.byteLength && pageTimeoutMs !== undefined;
      return extract(file, isHostile ? { ...options, pageTimeoutMs } : options, hooks);
    };
    const bad = await upload('bad.pdf', bytes);
    const good = await upload('good.pdf', await sampleManual(40));
    await Promise.all([runDueBatches(test.app, extractor), runDueBatches(test.app, extractor)]);
    // The memory of the process can't tell which of two files took it: the suspect is then read again, alone.
    clock.advance(60_000);
    await runDueBatches(test.app, extractor);
    const other = await read(good);
    assert.equal(other.status, 'completed', other.error?.message);
    return { bad: await read(bad), good: other };
  }

  it('fails with timeout if it blocks its thread, and the other file completes', async () => {
    await open(4096, 300_000);
    const { bad, good } = await runBeside('a page of millions of words', 500);
    assert.equal(bad.status, 'failed');
    assert.equal(bad.error?.code, 'timeout');
    assert.equal(bad.attempts, 1);
    assert.equal(good.attempts, 1);
    assert.equal(good.processedChunks, good.totalChunks);
  });

  it('fails with out_of_memory if it takes too much memory, and the other file completes', async () => {
    // On a busy machine, filling the memory takes long.
    await open(64, 300_000);
    const { bad, good } = await runBeside('a page of millions of words');
    assert.equal(bad.status, 'failed');
    assert.equal(bad.error?.code, 'out_of_memory');
    assert.ok(good.attempts <= 2);
  });
});
