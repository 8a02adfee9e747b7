import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { App } from '../../../src/platform/app.js';
import { inTransaction } from '../../../src/platform/db/in-transaction.js';
import type { Generation } from '../../../src/search/vectors/generation.js';
import {
  advanceGeneration,
  findLiveGeneration,
  insertGeneration,
  changeState,
} from '../../../src/search/vectors/generations.repository.js';
import { mendVectors } from '../../../src/search/vectors/mend-vectors.js';
import { dotProduct, nearestPassages } from '../../../src/search/vectors/nearest-passages.js';
import { insertVectors } from '../../../src/search/vectors/vectors.repository.js';
import { storeEntry } from '../../support/stored-entry.js';
import { addOrganization, openTestApp, type TestApp } from '../../support/test-app.js';

describe('The nearest visible passages', () => {
  const dimension = 20;
  const number = 300;
  let test: TestApp;
  let stored: { id: number; vector: Float32Array }[];
  let generation: Generation;

  const unit = (values: number[]) => {
    const length = Math.hypot(...values) || 1;
    return Float32Array.from(values, (value) => value / length);
  };
  /** The same directions in each run: spread over the sphere, and no two alike. */
  const drawn = (seed: number) =>
    unit(Array.from({ length: dimension }, (_, at) => Math.sin((seed + 1) * (at + 1) * 12.9898)));
  const live = async (): Promise<Generation> => {
    const found = await findLiveGeneration(test.app);
    assert.ok(found);
    return found;
  };
  const embed = async (from: number, to: number) => {
    const embedded = await inTransaction(test.app, async (app) => {
      const first = (await app.db.write('passages').first()) as Record<string, unknown>;
      const vectors: { passageId: number; vector: Float32Array }[] = [];
      for (let position = from; position < to; position++) {
        const row = { ...first, id: undefined, position: position + 1 };
        const [added]: { id: number }[] = await app.db
          .write('passages')
          .insert(row)
          .returning('id');
        vectors.push({ passageId: added?.id ?? 0, vector: drawn(position) });
      }
      await insertVectors(app, generation, vectors);
      await advanceGeneration(app, generation.id, vectors.at(-1)?.passageId ?? 0, 0);
      return vectors.map(({ passageId, vector }) => ({ id: passageId, vector }));
    });
    stored.push(...embedded);
    generation = await live();
  };
  const search = (vector: Float32Array, visible: number[], limit: number, app: Searched) =>
    nearestPassages(app, generation, vector, Uint32Array.from(visible), limit);
  const byHand = (vector: Float32Array, visible: number[], limit: number) =>
    stored
      .filter(({ id }) => visible.includes(id))
      .map((one) => ({ id: one.id, similarity: dotProduct(vector, one.vector) }))
      .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
      .slice(0, limit);
  type Searched = Pick<App, 'db' | 'config'>;
  /** No codes fit into its memory. */
  const small = (): Searched => ({
    db: { ...test.app.db, memory: {} },
    config: { ...test.app.config, search: { ...test.app.config.search, vector_memory_mb: 0 } },
  });

  before(async () => {
    test = await openTestApp();
    stored = [];
    const acme = await addOrganization(test);
    await storeEntry(test, acme, { title: 'One of many', content: 'A first text.' });
    await insertGeneration(test.app, {
      ...{ model: 'm', digest: '', dimension, passagePrefix: '' },
    });
    await changeState(test.app, 1, 'live');
    generation = await live();
    await embed(0, number);
  });
  after(() => test.close());

  it('equal those of an exhaustive comparison, in memory and from disk', async () => {
    const disk = small();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1000, max: 2000 }),
        fc.uniqueArray(fc.integer({ min: 0, max: number + 20 }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 60 }),
        async (seed, ids, limit) => {
          const vector = drawn(seed);
          const visible = ids.sort((a, b) => a - b);
          const wanted = byHand(vector, visible, limit);
          assert.deepEqual(await search(vector, visible, limit, test.app), wanted);
          assert.deepEqual(await search(vector, visible, limit, disk), wanted);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are mostly among the thousand best codes in a larger collection', async () => {
    await embed(number, number + 1500);
    const all = stored.map(({ id }) => id);
    let hits = 0;
    for (let seed = 3000; seed < 3020; seed++) {
      const vector = drawn(seed);
      const wanted = byHand(vector, all, 10).map(({ id }) => id);
      const found = await search(vector, all, 10, test.app);
      assert.deepEqual(await search(vector, all, 10, small()), found);
      hits += found.filter(({ id }) => wanted.includes(id)).length;
    }
    assert.ok(hits >= 190, `${hits} of 200`);
  });

  it('include new passages as soon as they are embedded, and no deleted ones', async () => {
    const before = stored.length;
    await embed(9000, 9001);
    const added = stored[before];
    assert.ok(added);
    const all = stored.map(({ id }) => id);
    const [first] = await search(added.vector, all, 1, test.app);
    assert.equal(first?.id, added.id);
    await test.app.db.write('passages').where({ id: added.id }).delete();
    const [next] = await search(added.vector, all, 1, test.app);
    assert.notEqual(next?.id, added.id);
  });

  it('include those whose lost codes were made again while searches kept the others', async () => {
    const lost = stored.at(7);
    assert.ok(lost);
    const nearest = async () => {
      const [first] = await search(lost.vector, [lost.id], 1, test.app);
      return first?.id;
    };
    const { db } = test.app;
    await db.write('passage_vector_codes').where({ passage_id: lost.id }).delete();
    delete db.memory.vectors;
    assert.equal(await nearest(), undefined);
    const { embeddedTo } = generation;
    // The passage of the first entry has no vector, so all are gone through again.
    await inTransaction(test.app, mendVectors);
    generation = await live();
    assert.equal(generation.embeddedTo, 0);
    const [other] = await search(lost.vector, [lost.id + 1], 1, test.app);
    assert.equal(other?.id, lost.id + 1);
    await inTransaction(test.app, (app) => advanceGeneration(app, 1, embeddedTo, 0));
    generation = await live();
    assert.equal(await nearest(), lost.id);
  });
});
