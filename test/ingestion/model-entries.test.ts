import assert from 'node:assert/strict';
import { createPdfExtractor, type PdfExtractor } from '../../src/ingestion/pdf/extract-pdf.js';
import { getBatch } from '../../src/ingestion/review-batch.js';
import { runDueBatches } from '../../src/ingestion/run-worker.js';
import { startIngestion } from '../../src/ingestion/start-ingestion.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { chapterTitle, sampleManual } from '../support/sample-manual.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('entries that the model makes', () => {
  let ollama: OllamaStandIn;
  let test: TestApp;
  let acme: TestOrganization;
  let extractor: PdfExtractor;

  before(() => {
    extractor = createPdfExtractor({ workers: 1, workerMemoryMb: 512 });
  });
  after(() => extractor.close());
  beforeEach(async () => {
    ollama = await startOllamaStandIn({});
    test = await openTestApp({ ollama: { url: ollama.url } });
    acme = await addOrganization(test);
  });
  afterEach(async () => {
    await test.close();
    await ollama.stop();
  });

  const ingest = async (chapters: number) => {
    const bytes = await sampleManual(chapters);
    const { batch } = await startIngestion(test.app, acme.operator, { fileName: 'm.pdf', bytes });
    await runDueBatches(test.app, extractor);
    return getBatch(test.app, acme.operator, batch.id);
  };
  const answer = (...entries: { title: string; description: string }[]) =>
    JSON.stringify({ entries });

  it('are taken when their section supports them', async () => {
    ollama.answer = () =>
      answer({
        title: 'Pump settings',
        description: 'Cleaning the pump takes setting S1x2.',
      });
    const { batch, entries } = await ingest(1);
    assert.equal(batch.status, 'completed');
    assert.equal(batch.droppedEntries, 0);
    assert.deepEqual(
      entries.map((entry) => entry.title),
      ['Pump settings'],
    );
    assert.equal(entries[0]?.pageFrom, 1);
  });

  it('are dropped and counted when they say what their section does not', async () => {
    ollama.answer = () =>
      answer(
        { title: 'True', description: 'Cleaning the pump takes setting S1x3.' },
        { title: 'False', description: 'The warranty covers hydraulic failure for 7 years.' },
        {
          title: 'Wrong number',
          description: 'Cleaning the pump takes setting S9x3.',
        },
      );
    const { batch, entries } = await ingest(1);
    assert.equal(batch.droppedEntries, 2);
    assert.deepEqual(
      entries.map((entry) => entry.title),
      ['True'],
    );
  });

  it('give way to the section itself when the model answers nonsense or nothing that holds', async () => {
    const replies = [
      '{"entries": [',
      '{"other": 1}',
      answer({ title: 'x', description: 'Elephants fly.' }),
    ];
    ollama.answer = () => replies.shift() ?? 'no JSON at all';
    const { batch, entries } = await ingest(4);
    assert.equal(batch.status, 'completed');
    assert.deepEqual(
      entries.map((entry) => entry.title),
      [1, 2, 3, 4].map((number) => chapterTitle(number, 'pump')),
    );
  });

  it('are not asked for where the settings want sections', async () => {
    await test.close();
    test = await openTestApp({ ollama: { url: ollama.url }, ingestion: { entries: 'sections' } });
    acme = await addOrganization(test);
    const { entries } = await ingest(2);
    assert.equal(entries.length, 2);
    assert.equal(ollama.chats.length, 0);
  });

  it('are waited for, and then given up, where the settings insist on a model that is not there', async () => {
    await test.close();
    test = await openTestApp({ ingestion: { entries: 'model' } });
    acme = await addOrganization(test);
    const { batch } = await ingest(1);
    assert.equal(batch.status, 'processing', 'two attempts are left, later');
    assert.equal(batch.attempts, 1);
  });
});
