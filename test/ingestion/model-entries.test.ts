import assert from 'node:assert/strict';
import type { Config } from '../../src/platform/config/schema.js';
import {
  createDocumentExtractor,
  type DocumentExtractor,
} from '../../src/documents/extract-document.js';
import { approveBatch } from '../../src/ingestion/review/approve-batch.js';
import { getBatch } from '../../src/ingestion/review/review-batch.js';
import { runDueBatches } from '../../src/ingestion/worker/run-worker.js';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { chapterTitle, sampleLines, sampleManual } from '../support/sample-manual.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('Entries that the model writes', () => {
  let ollama: OllamaStandIn;
  let test: TestApp;
  let acme: TestOrganization;
  let extractor: DocumentExtractor;

  before(() => {
    extractor = createDocumentExtractor({ workers: 1, workerMemoryMb: 512 });
  });
  after(() => extractor.close());
  beforeEach(async () => {
    ollama = await startOllamaStandIn({});
    await open({ model_may_omit: 1 });
  });
  afterEach(async () => {
    await test.close();
    await ollama.stop();
  });

  const open = async (ingestion: Partial<Config['ingestion']>) => {
    test = await openTestApp({ ollama: { url: ollama.url }, ingestion });
    acme = await addOrganization(test);
  };
  const ingest = async (chapters: number) => {
    const bytes = await sampleManual(chapters);
    const { batch } = await startIngestion(test.app, acme.operator, { fileName: 'm.pdf', bytes });
    await runDueBatches(test.app, extractor);
    return getBatch(test.app, acme.operator, batch.id);
  };
  const answer = (...entries: { title: string; description: string }[]) =>
    JSON.stringify({ entries });

  it('are stored if their section supports them', async () => {
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

  it('are dropped and counted if their section does not support them', async () => {
    ollama.answer = () =>
      answer(
        { title: 'Pump drum', description: 'Cleaning the pump takes setting S1x3.' },
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
      ['Pump drum'],
    );
  });

  it('are replaced by the section itself if the model’s answer is invalid or unsupported', async () => {
    const replies = [
      '{"entries": [',
      '{"other": 1}',
      answer({ title: 'x', description: 'Elephants fly.' }),
    ];
    ollama.answer = () => replies.shift() ?? 'no JSON at all';
    const { batch, entries } = await ingest(4);
    assert.equal(batch.status, 'completed');
    assert.equal(batch.fallbackChunks, 4);
    assert.deepEqual(
      entries.map((entry) => entry.title),
      [1, 2, 3, 4].map((number) => chapterTitle(number, 'pump')),
    );
  });

  it('get the title of their section if their own title is unsupported', async () => {
    ollama.answer = () =>
      answer({ title: 'Warranty', description: 'Cleaning the pump takes setting S1x2.' });
    const { batch, entries } = await ingest(1);
    assert.deepEqual(
      entries.map(({ title, content }) => [title, content]),
      [[chapterTitle(1, 'pump'), 'Cleaning the pump takes setting S1x2.']],
    );
    assert.equal(batch.fallbackChunks, 0);
  });

  it('are replaced by the section if they omit more of it than the setting allows', async () => {
    await test.close();
    await open({ model_may_omit: 0.25 });
    const lines = (from: number, to: number) => (number: number) => {
      const section = sampleLines(number, 'pump').slice(from, to);
      return answer({ title: chapterTitle(number, 'pump'), description: section.join(' ') });
    };
    const replies = [lines(0, 12)(1), lines(0, 10)(2), lines(0, 3)(3)];
    ollama.answer = () => replies.shift() ?? '';
    const { batch, entries } = await ingest(3);
    assert.equal(batch.fallbackChunks, 1);
    const last = (number: number) => new RegExp(`S${number}x11`);
    assert.match(entries[0]?.content ?? '', last(1));
    assert.doesNotMatch(entries[1]?.content ?? '', last(2));
    assert.match(entries[2]?.content ?? '', last(3), 'the third section is complete');
  });

  it('may omit no sentence by default, and are not stored twice', async () => {
    await test.close();
    await open({});
    const entriesOf = (number: number, count: number) => {
      const description = sampleLines(number, 'pump').slice(0, count).join(' ');
      const entry = { title: chapterTitle(number, 'pump'), description };
      return answer(entry, entry, { ...entry, description: ` ${description}` });
    };
    const replies = [entriesOf(1, 12), entriesOf(2, 11)];
    ollama.answer = () => replies.shift() ?? '';
    const { batch, entries } = await ingest(2);
    assert.equal(batch.fallbackChunks, 1);
    assert.equal(entries.length, 2);
    assert.match(entries[1]?.content ?? '', /S2x11/);
  });

  it('are requested only for changed sections of a new version', async () => {
    ollama.answer = () =>
      answer({ title: 'Pump', description: 'The pump takes this setting first.' });
    const upload = async (chapters: number) => {
      const bytes = await sampleManual(chapters);
      const { batch } = await startIngestion(test.app, acme.operator, { fileName: 'm.pdf', bytes });
      await runDueBatches(test.app, extractor);
      return getBatch(test.app, acme.operator, batch.id);
    };
    const first = await upload(2);
    await approveBatch(test.app, acme.operator, { batchId: first.batch.id, entryIds: 'all' });
    const asked = ollama.chats.length;
    const second = await upload(3);
    assert.deepEqual(second.batch.diff, { unchanged: 2, changed: 0, new: 1, gone: 0 });
    assert.equal(ollama.chats.length, asked + 1);
  });

  it('are dropped if they negate their section', async () => {
    ollama.answer = () =>
      answer({ title: 'Pump', description: 'Cleaning the pump never takes setting S1x2.' });
    const { batch, entries } = await ingest(1);
    assert.equal(batch.droppedEntries, 1);
    assert.equal(entries[0]?.title, chapterTitle(1, 'pump'));
  });

  it('are no longer requested after three failures of the model in a row', async () => {
    await test.close();
    test = await openTestApp({ ollama: { url: ollama.url, first_token_timeout_ms: 40 } });
    acme = await addOrganization(test);
    ollama.stallAfter = 0;
    const { batch, entries } = await ingest(6);
    assert.equal(batch.status, 'completed');
    assert.equal(ollama.chats.length, 3);
    assert.equal(batch.fallbackChunks, 6);
    assert.equal(entries.length, 6);
  });

  it('are still requested if the model fails only sometimes', async () => {
    let asked = 0;
    ollama.answer = () => {
      asked += 1;
      ollama.errorAfter = asked % 2 === 0 ? undefined : 0;
      return answer({ title: 'Pump', description: 'The pump takes this setting first.' });
    };
    const { batch } = await ingest(6);
    assert.equal(ollama.chats.length, 6);
    assert.equal(batch.fallbackChunks, 3);
  });

  it('are not requested if section and answer do not fit the model’s context window', async () => {
    ollama.contextLength = 700;
    const { batch, entries } = await ingest(1);
    assert.equal(ollama.chats.length, 0);
    assert.equal(batch.fallbackChunks, 1);
    assert.equal(entries[0]?.title, chapterTitle(1, 'pump'));
  });

  it('may use the rest of the model’s context window', async () => {
    ollama.answer = () => answer({ title: 'Pump', description: 'The pump takes this setting.' });
    await ingest(1);
    const [chat] = ollama.chats;
    const prompt = chat?.messages.reduce((sum, { content }) => sum + content.length, 0) ?? 0;
    const { num_ctx: window = 0, num_predict: most = 0 } = chat?.options ?? {};
    assert.ok(most > 512 && most + prompt / 4 < window, `${prompt} characters, ${most} tokens`);
  });

  it('are not requested if the setting is “sections”', async () => {
    await test.close();
    test = await openTestApp({ ollama: { url: ollama.url }, ingestion: { entries: 'sections' } });
    acme = await addOrganization(test);
    const { entries } = await ingest(2);
    assert.equal(entries.length, 2);
    assert.equal(ollama.chats.length, 0);
  });

  it('are tried again later if the setting is “model” and no model answers', async () => {
    await test.close();
    test = await openTestApp({ ingestion: { entries: 'model' } });
    acme = await addOrganization(test);
    const { batch } = await ingest(1);
    assert.equal(batch.status, 'processing', 'two attempts are left, later');
    assert.equal(batch.attempts, 1);
  });
});
