import assert from 'node:assert/strict';
import { deleteEntry } from '../../../src/knowledge/delete-entry.js';
import { updateEntry } from '../../../src/knowledge/update-entry.js';
import { embedDuePassages } from '../../../src/search/vectors/embed-due-passages.js';
import { startEmbeddingWorker } from '../../../src/search/vectors/embed-passages.job.js';
import { reindex, undoReindex } from '../../../src/search/vectors/reindex.js';
import { meaningOf } from '../../support/ollama-stand-in-embeddings.js';
import { storeEntry } from '../../support/stored-entry.js';
import { embeddedApp } from './embedded-app.js';

describe('The embedding of passages', () => {
  const on = embeddedApp();
  const embed = () => embedDuePassages(on.test.app);
  const fill = async (count = 10) => {
    for (let number = 0; number < count; number += 1) {
      await on.store(`Entry ${number}`, `Where car number ${number} is kept.`);
    }
  };
  const embedCalls = () => on.ollama.requests.filter(({ path }) => path === '/api/embed').length;
  const again = (digest: string, embedding = meaningOf({ dimension: 64, seed: 9 })) => {
    on.ollama.digests['all-minilm:latest'] = digest;
    on.ollama.embed = embedding;
  };

  it('runs once, in batches, and makes the vectors live when all are stored', async () => {
    await fill();
    assert.deepEqual(await embed(), { embedded: 10, elsewhere: false });
    assert.deepEqual(await on.generations(), ['live all-minilm 64 10/10']);
    const calls = embedCalls();
    // One to learn the dimension, and three batches of at most four.
    assert.equal(calls, 4);
    assert.deepEqual(await embed(), { embedded: 0, elsewhere: false });
    assert.equal(embedCalls(), calls);
  });

  it('reads the text without the backslashes that protect Markdown’s signs', async () => {
    await on.store('Methods', 'The method \\_\\_init__ is \\*not* called.');
    await embed();
    const [last] = on.ollama.requests.filter(({ path }) => path === '/api/embed').slice(-1);
    assert.match(JSON.stringify(last?.body), /The method __init__ is \*not\* called/);
  });

  it('does not run without an embedding model', async () => {
    await on.reopen({ embedding_model: '' });
    await fill(1);
    assert.deepEqual(await embed(), { embedded: 0, elsewhere: false });
    assert.equal((await on.find('car')).length, 1);
    assert.deepEqual(on.ollama.requests, []);
  });

  it('covers only new and changed passages', async () => {
    await fill(3);
    await embed();
    const calls = embedCalls();
    const entry = await on.store('New', 'Where the dog sleeps.');
    assert.deepEqual((await embed()).embedded, 1);
    assert.equal(embedCalls(), calls + 1);
    await updateEntry(on.test.app, on.acme.operator, entry.uuid, {
      content: 'Where the invoice is sent.',
    });
    assert.equal((await on.near('bill')).includes('New'), false);
    await embed();
    assert.equal((await on.near('bill'))[0], 'New');
  });

  it('continues after a crash when the crashed process’s lease has expired', async () => {
    await fill(12);
    const crash = new Error('crash');
    let steps = 0;
    const crashing = embedDuePassages(on.test.app, {
      onStep: () => (++steps === 3 ? Promise.reject(crash) : Promise.resolve()),
    });
    await assert.rejects(crashing, crash);
    assert.deepEqual(await on.generations(), ['building all-minilm 64 8/12']);
    // Whoever crashed gave nothing back.
    await on.test.app.db.write('embedding_work').update({
      lease_token: 'a crashed process',
      lease_expires_at: '2026-03-01T09:00:30.000Z',
    });
    assert.deepEqual(await embed(), { embedded: 0, elsewhere: true });
    on.clock.advance(30_001);
    assert.deepEqual(await embed(), { embedded: 4, elsewhere: false });
    assert.deepEqual(await on.generations(), ['live all-minilm 64 12/12']);
  });

  it('with another model grows beside the live vectors until it is complete', async () => {
    await fill(9);
    await embed();
    await on.reopen({ embedding_model: 'nomic-embed-text' });
    const dimensions = meaningOf({ dimension: 48 });
    const before = on.ollama.embed;
    on.ollama.embed = (text) =>
      (/^search_(document|query)|^nomic/.test(text) ? dimensions : before)(text);
    const seen: string[][] = [];
    await embedDuePassages(on.test.app, {
      onStep: async () => {
        seen.push(await on.generations());
        assert.equal((await on.near('automobile number 3')).length, 9);
      },
    });
    assert.deepEqual(seen[1], ['live all-minilm 64 9/9', 'building nomic-embed-text 48 4/9']);
    assert.deepEqual(await on.generations(), [
      'previous all-minilm 64 9/9',
      'live nomic-embed-text 48 9/9',
    ]);
    assert.deepEqual(on.logged, []);
  });

  it('includes an entry that is edited meanwhile, and drops a deleted one', async () => {
    await fill(9);
    const last = await on.store('Last', 'Where the car is kept.');
    const doomed = await on.store('Doomed', 'Where the car is scrapped.');
    let steps = 0;
    await embedDuePassages(on.test.app, {
      onStep: async () => {
        steps += 1;
        if (steps !== 2) return;
        const changed = { content: 'Where the dog sleeps.' };
        await updateEntry(on.test.app, on.acme.operator, last.uuid, changed);
        await deleteEntry(on.test.app, on.acme.operator, doomed.uuid);
      },
    });
    assert.deepEqual(await on.generations(), ['live all-minilm 64 10/10']);
    assert.equal((await on.near('hound'))[0], 'Last');
    assert.ok(!(await on.near('automobile')).includes('Doomed'));
  });

  it('stores no vector for a passage that is deleted during the model call', async () => {
    const doomed = await on.store('Doomed', 'Where the car is scrapped.');
    await on.store('Stays', 'Where the car is kept.');
    on.ollama.embedStalls = true;
    const embedding = embed();
    for (const release of [() => on.ollama.release(), undefined]) {
      await on.ollama.until(() => embedCalls() === (release === undefined ? 2 : 1));
      release?.();
    }
    await deleteEntry(on.test.app, on.acme.operator, doomed.uuid);
    on.ollama.embedStalls = false;
    on.ollama.release();
    await embedding;
    assert.deepEqual(await on.near('automobile'), ['Stays']);
    assert.equal((await on.test.app.db.read('passage_vectors')).length, 1);
  });

  it('restarts if the model was pulled again, and never mixes both versions', async () => {
    await fill(6);
    await embed();
    again('sha256:another');
    // Same name, same dimension, another space: words alone serve until the new vectors are whole.
    const meanwhile = await on.find('car number 3');
    assert.ok(meanwhile.length > 0);
    assert.ok(meanwhile.every(({ parts }) => parts.vector === null));
    assert.equal(on.logged.length, 1);
    await embed();
    const { length } = await on.near('automobile');
    assert.equal(length, 6);
    assert.deepEqual(await on.generations(), [
      'previous all-minilm 64 6/6',
      'live all-minilm 64 6/6',
    ]);
  });

  it('notices that the model is pulled again during a run', async () => {
    await fill(8);
    let steps = 0;
    await embedDuePassages(on.test.app, {
      onStep: () => {
        if (++steps === 2) again('sha256:another');
        return Promise.resolve();
      },
    });
    assert.deepEqual(await on.generations(), ['live all-minilm 64 8/8']);
    const digests = (await on.test.app.db.read('embedding_models').pluck('digest')) as string[];
    assert.deepEqual(digests, ['sha256:another']);
    // Of the generation that was given up nothing is left behind.
    assert.equal((await on.test.app.db.read('passage_vectors')).length, 8);
  });

  it('can be undone, stays undone, and can be repeated', async () => {
    const { operator } = on.acme;
    await fill(5);
    await embed();
    await on.reopen({ embedding_model: 'bge-m3' });
    await embed();
    await undoReindex(on.test.app, operator);
    const undone = ['live all-minilm 64 5/5', 'undone bge-m3 64 5/5'];
    assert.deepEqual(await on.generations(), undone);
    await on.store('New', 'Where the dog sleeps.');
    assert.equal((await embed()).embedded, 1);
    assert.equal((await on.generations())[0], 'live all-minilm 64 6/6');
    assert.equal((await on.near('hound'))[0], 'New');
    const asked = { signal: new AbortController().signal, onProgress: () => undefined };
    const done = await reindex(on.test.app, operator, asked);
    assert.deepEqual(done, { embedded: 1, whole: true, undone: false });
    assert.deepEqual(await on.generations(), ['previous all-minilm 64 6/6', 'live bge-m3 64 6/6']);
    const log = (await on.test.app.db.read('audit_log').pluck('action')) as string[];
    assert.ok(log.includes('embedding_model.undo'));
  });

  it('can be cancelled before it is complete', async () => {
    await fill(9);
    await embed();
    await on.reopen({ embedding_model: 'bge-m3' });
    const stop = new AbortController();
    await embedDuePassages(on.test.app, {
      signal: stop.signal,
      onStep: async () => {
        const [, building = ''] = await on.generations();
        if (building.endsWith('4/9')) stop.abort();
      },
    });
    await undoReindex(on.test.app, on.acme.operator);
    assert.equal((await embed()).embedded, 0);
    assert.deepEqual(await on.generations(), ['live all-minilm 64 9/9', 'undone bge-m3 64 4/9']);
  });

  it('is cancelled for good if somebody undoes a running reindex', async () => {
    const { operator } = on.acme;
    const signal = new AbortController().signal;
    await fill(9);
    await embed();
    await on.reopen({ embedding_model: 'bge-m3' });
    const asked = { signal, onProgress: () => undefined };
    const before = embedCalls();
    // The first call learns the dimension; the second batch is held up.
    on.ollama.embed = (text) => {
      if (embedCalls() === before + 3) on.ollama.embedStalls = true;
      return meaningOf({ dimension: 64 })(text);
    };
    const running = reindex(on.test.app, operator, asked);
    await on.ollama.until(() => embedCalls() === before + 3);
    await undoReindex(on.test.app, operator);
    on.ollama.embed = meaningOf({ dimension: 64 });
    on.ollama.embedStalls = false;
    on.ollama.release();
    const { whole, undone } = await running;
    assert.deepEqual([whole, undone], [false, true]);
    assert.equal((await on.generations())[0], 'live all-minilm 64 9/9');
    // Asked for anew it goes on, and takes their place.
    const again = await reindex(on.test.app, operator, asked);
    assert.deepEqual([again.whole, again.undone], [true, false]);
  });

  it('can’t be undone to vectors whose model is gone', async () => {
    const { operator } = on.acme;
    await fill(2);
    await embed();
    await on.reopen({ embedding_model: 'bge-m3' });
    await embed();
    const states = await on.generations();
    on.ollama.digests['all-minilm:latest'] = 'sha256:pulled-again';
    const gone = {
      code: 'conflict',
      message: /all-minilm as it was then .* is no longer installed/,
    };
    await assert.rejects(undoReindex(on.test.app, operator), gone);
    on.ollama.models = on.ollama.models.filter((name) => !name.startsWith('all-minilm'));
    await assert.rejects(undoReindex(on.test.app, operator), gone);
    assert.deepEqual(await on.generations(), states);
    await on.reopen({ embedding_model: 'bge-m3', url: 'http://127.0.0.1:9' });
    assert.equal((await undoReindex(on.test.app, operator)).unchecked, true);
  });

  it('can’t be undone if there were no earlier vectors', async () => {
    const { operator } = on.acme;
    await assert.rejects(undoReindex(on.test.app, operator), { code: 'conflict' });
    await fill(1);
    await embed();
    await assert.rejects(undoReindex(on.test.app, operator), { code: 'conflict' });
    for (const role of ['user', 'backoffice'] as const) {
      const { organizationId } = operator;
      const actor = { kind: 'user', organizationId, userId: 1, role } as const;
      await assert.rejects(undoReindex(on.test.app, actor), { code: 'forbidden' });
    }
    await assert.rejects(undoReindex(on.test.app, { kind: 'anonymous' }), {
      code: 'unauthenticated',
    });
  });

  it('with the earlier model reuses its vectors and embeds only the missing ones', async () => {
    await fill(4);
    await embed();
    await on.reopen({ embedding_model: 'bge-m3' });
    await embed();
    await on.store('New', 'Where the dog sleeps.');
    await on.reopen({ embedding_model: 'all-minilm:latest' });
    // The live generation gets it too, since it serves until then.
    assert.equal((await embed()).embedded, 2);
    assert.deepEqual(await on.generations(), [
      'live all-minilm:latest 64 5/5',
      'previous bge-m3 64 5/5',
    ]);
  });

  it('with another prefix creates another generation', async () => {
    await fill(2);
    await embed();
    await on.reopen({ embedding_passage_prefix: 'Text: ' });
    assert.equal((await embed()).embedded, 2);
    assert.equal((await on.generations()).length, 2);
    const last = on.ollama.requests.findLast(({ path }) => path === '/api/embed');
    assert.match((last?.body as { input: string[] }).input[0] ?? '', /^Text: Entry/);
  });

  it('keeps one earlier generation and deletes the rest', async () => {
    await fill(3);
    for (const model of ['all-minilm', 'bge-m3', 'nomic-embed-text']) {
      await on.reopen({ embedding_model: model });
      await embed();
    }
    assert.deepEqual(await on.generations(), [
      'previous bge-m3 64 3/3',
      'live nomic-embed-text 64 3/3',
    ]);
    assert.equal((await on.test.app.db.read('passage_vector_codes')).length, 6);
  });

  it('skips and counts a passage that makes the model fail', async () => {
    await fill(5);
    await on.store('Cursed', 'This one breaks the runner.');
    on.ollama.embedFails = (text) => text.includes('breaks');
    assert.equal((await embed()).embedded, 5);
    assert.deepEqual(await on.generations(), ['live all-minilm 64 6/6']);
    const [generation] = await on.test.app.db.read<{ refused: number }>('embedding_models');
    assert.equal(generation?.refused, 1);
    assert.equal((await on.find('runner'))[0]?.title, 'Cursed');
  });

  it('skips no passage if the model fails at all of them', async () => {
    await fill(2);
    await embed();
    await fill(3);
    on.ollama.embedFails = () => true;
    await assert.rejects(embed(), { code: 'model_unavailable' });
    assert.deepEqual(await on.generations(), ['live all-minilm 64 2/5']);
    on.ollama.embedFails = () => false;
    assert.equal((await embed()).embedded, 3);
  });

  it('embeds a passage that is too long for the model, and the rest of its batch', async () => {
    on.ollama.embedContext = 60;
    const content = 'The car stands in the garage behind the house. '.repeat(20);
    await storeEntry(on.test, on.acme, { title: 'Long', content });
    await fill(5);
    await embed();
    const found = await on.near('automobile');
    assert.equal(new Set(found).size, 6);
  });

  it('is started by the worker when the model answers, which logs the reason of a delay once', async () => {
    await on.reopen({ embedding_poll_ms: 50 });
    await fill(2);
    on.ollama.models = ['llama3.2:latest'];
    const worker = startEmbeddingWorker(on.test.app);
    const tags = () => on.ollama.requests.filter(({ path }) => path === '/api/tags').length;
    await on.ollama.until(() => tags() >= 3);
    on.ollama.models = ['all-minilm:latest'];
    await on.ollama.until(() => embedCalls() >= 2);
    await worker.stop();
    await embed();
    assert.deepEqual(await on.generations(), ['live all-minilm 64 2/2']);
    assert.equal(on.logged.length, 1);
    assert.match(on.logged[0] ?? '', /words alone/);
  });
});
