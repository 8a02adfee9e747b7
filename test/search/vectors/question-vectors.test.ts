import assert from 'node:assert/strict';
import type { App } from '../../../src/platform/app.js';
import { embedDuePassages } from '../../../src/search/vectors/embed-due-passages.js';
import { findLiveGeneration } from '../../../src/search/vectors/generations.repository.js';
import { saveTrust } from '../../../src/search/vectors/trust.repository.js';
import type { Trust } from '../../../src/search/vectors/trust.js';
import { meaningOf } from '../../support/ollama-stand-in-embeddings.js';
import { embeddedApp } from './embedded-app.js';
import { embedQuestion } from '../../../src/search/vectors/search-vectors.js';

describe('A search falls back to words', () => {
  const on = embeddedApp();
  const embedCalls = () => on.ollama.requests.filter(({ path }) => path === '/api/embed').length;

  beforeEach(async () => {
    await on.store('Garage', 'Where the car is kept.');
    await on.store('Kennel', 'Where the dog sleeps.');
    await embedDuePassages(on.test.app);
    on.ollama.requests.length = 0;
  });

  /** Words find what they find, and no vector has a part in it. */
  const byWords = async () => {
    const found = await on.find('Where is the car kept?');
    assert.equal(found[0]?.title, 'Garage');
    assert.equal(found[0].parts.wordRank, 1);
    assert.ok(found.every(({ parts }) => parts.vector === null && parts.vectorRank === null));
  };
  const byVectors = async () => {
    const found = await on.find('automobile');
    assert.equal(found[0]?.title, 'Garage');
    assert.equal(found[0].parts.vectorRank, 1);
  };

  it('while the model server is down, and logs this once', async () => {
    on.ollama.proxyStatus = 502;
    await byWords();
    await byWords();
    assert.equal(on.logged.length, 1);
    on.ollama.proxyStatus = undefined;
    await byVectors();
    on.ollama.proxyStatus = 502;
    await byWords();
    assert.equal(on.logged.length, 2);
  });

  it('while the model server is too slow, and no second question waits for it', async () => {
    await on.reopen({ embedding_query_timeout_ms: 30 });
    on.ollama.embedStalls = true;
    await byWords();
    await byWords();
    await byWords();
    assert.equal(embedCalls(), 1);
    assert.equal(on.logged.length, 1);
    // The request goes on: Ollama would give up loading the model if its only caller left.
    assert.equal(on.ollama.aborted, 0);
    on.ollama.embedStalls = false;
    on.ollama.release();
    await on.reopen({ embedding_query_timeout_ms: 5000 });
    await byVectors();
  });

  it('until the late answer of the model server arrives', async () => {
    await on.reopen({ embedding_query_timeout_ms: 800 });
    on.ollama.embedStalls = true;
    await byWords();
    on.ollama.embedStalls = false;
    on.ollama.release();
    // The late answer is read by then: the next question is asked about on a connection of its own.
    const answered = () => on.ollama.requests.filter(({ path }) => path === '/api/tags').length;
    while (answered() < 2) await on.find('automobile');
    await byVectors();
  });

  it('while one of two late requests still hangs', async () => {
    const generation = await findLiveGeneration(on.test.app);
    assert.ok(generation !== undefined);
    const requests: ((error: Error) => void)[] = [];
    const embed = () => new Promise<never>((_, reject) => requests.push(reject));
    const config = { ...on.test.app.config };
    config.ollama = { ...config.ollama, embedding_query_timeout_ms: 5 };
    const models = { embed } as unknown as App['models'];
    const ask = () => embedQuestion({ ...on.test.app, config, models }, generation, 'automobile');
    await Promise.all([ask(), ask()]);
    requests[0]?.(new Error('the connection broke'));
    await new Promise(setImmediate);
    await ask();
    assert.equal(requests.length, 2, 'nobody waits in vain behind the one that hangs');
    requests[1]?.(new Error('the connection broke'));
    await new Promise(setImmediate);
    await ask();
    assert.equal(requests.length, 3);
    requests[2]?.(new Error('the connection broke'));
  });

  it('without calling a model that is not trusted in the question’s language', async () => {
    const generation = await findLiveGeneration(on.test.app);
    assert.ok(generation !== undefined);
    const { organizationId } = on.acme.operator;
    const owner = { generationId: generation.id, organizationId, visibility: 'public' } as const;
    const judge = (byLanguage: Trust['byLanguage']) =>
      saveTrust(on.test.app, owner, { byLanguage, passages: 2 });
    for (const trust of [{ en: 0 }, { en: 0, de: 0.7 }, { es: 0 }]) {
      await judge(trust);
      await byWords();
    }
    await judge({ en: 0 });
    await on.find('automobile');
    assert.equal(embedCalls(), 0);
    await judge({ en: 0.6 });
    await byVectors();
  });

  it('while the model is not installed', async () => {
    on.ollama.models = ['llama3.2:latest'];
    await byWords();
    assert.equal(on.logged.length, 1);
  });

  it('while the server returns an invalid vector', async () => {
    for (const fault of ['null', 'zeros', 'infinite', 'count', 'no list'] as const) {
      on.ollama.embedFault = fault;
      await byWords();
    }
  });

  it('when the model returns vectors of another length under the same digest', async () => {
    on.ollama.embed = meaningOf({ dimension: 32 });
    await byWords();
    assert.equal(on.logged.length, 1);
    await on.store('New', 'Where the car is sold.');
    await assert.rejects(embedDuePassages(on.test.app), { code: 'model_unavailable' });
    await byWords();
  });

  it('when the live vectors’ model is gone and the new one has no vectors yet', async () => {
    on.ollama.models = ['bge-m3:latest'];
    await on.reopen({ embedding_model: 'bge-m3' });
    await byWords();
    await embedDuePassages(on.test.app);
    await byVectors();
  });

  it('but uses the former model while the new one’s vectors are incomplete', async () => {
    await on.reopen({ embedding_model: 'bge-m3' });
    await byVectors();
    const [request] = on.ollama.requests.filter(({ path }) => path === '/api/embed');
    assert.equal((request?.body as { model: string }).model, 'all-minilm');
  });

  it('when no model is configured any more', async () => {
    await on.reopen({ embedding_model: '' });
    await byWords();
    assert.equal(on.ollama.requests.length, 0);
    assert.deepEqual(on.logged, []);
  });

  it('for a question of blanks or signs, without an error', async () => {
    assert.deepEqual(await on.find('  \n '), []);
    for (const text of ['\ud800', '\u0000', '?', 'x'.repeat(8000)]) await on.find(text);
  });
});
