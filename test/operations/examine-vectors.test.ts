import assert from 'node:assert/strict';
import { examineVectors } from '../../src/operations/examine-vectors.js';
import { embedDuePassages } from '../../src/search/vectors/embed-due-passages.js';
import { undoReindex } from '../../src/search/vectors/reindex.js';
import { embeddedApp } from '../search/vectors/embedded-app.js';

describe('The vector check of `assistant doctor`', () => {
  const on = embeddedApp();
  const look = async () => {
    const [check] = await examineVectors(on.test.app.config, on.test.app.db);
    return [check?.status, check?.finding, check?.remedy].join(' | ');
  };

  it('reports how many passages have a vector, and the command that creates missing ones', async () => {
    await on.store('Car', 'Where the car is kept.');
    assert.match(await look(), /^warning \| no passage has one yet: .*words.*assistant reindex/);
    await embedDuePassages(on.test.app);
    assert.match(await look(), /^ok \| 1 of 1 passages have one of all-minilm/);
    await on.store('Dog', 'Where the dog sleeps.');
    assert.match(await look(), /^warning \| 1 of 2 passages .*assistant reindex/);
  });

  it('reports an undone reindexing, a failed attempt, and vectors without an embedding model', async () => {
    await on.store('Car', 'Where the car is kept.');
    await embedDuePassages(on.test.app);
    await on.reopen({ embedding_model: 'bge-m3' });
    await embedDuePassages(on.test.app);
    await undoReindex(on.test.app, on.acme.operator);
    assert.match(await look(), /^warning \| 1 of 1 .* all-minilm; somebody went back from bge-m3/);
    await on.store('Dog', 'Where the dog sleeps.');
    on.ollama.embed = () => [];
    await assert.rejects(embedDuePassages(on.test.app));
    assert.match(await look(), /^warning \| the last attempt failed: /);
    await on.reopen({ embedding_model: '' });
    assert.match(await look(), /^warning \| there are some, but no embedding model is set/);
  });

  it('warns if the vector codes do not fit into search.vector_memory_mb', async () => {
    await on.store('Car', 'Where the car is kept.');
    await embedDuePassages(on.test.app);
    const { config, db } = on.test.app;
    const tight = { ...config, search: { ...config.search, vector_memory_mb: 0 } };
    const [check] = await examineVectors(tight, db);
    assert.equal(check?.status, 'warning');
    assert.match(check.finding, /do not fit into search\.vector_memory_mb/);
  });

  it('reports nothing if no embedding model was ever set', async () => {
    await on.reopen({ embedding_model: '' });
    assert.equal(await look(), ' |  | ');
  });
});
