import { monitorEventLoopDelay } from 'node:perf_hooks';
import { percentile } from '../../src/evaluation/measures.js';
import type { App } from '../../src/platform/app.js';
import type { Config } from '../../src/platform/config/schema.js';
import { inTransaction } from '../../src/platform/db/in-transaction.js';
import type { SearchScope } from '../../src/search/passages/scope.js';
import { withIndex } from '../../src/search/term-index/open-index.js';
import {
  findLiveGeneration,
  advanceGeneration,
  changeState,
  insertGeneration,
} from '../../src/search/vectors/generations.repository.js';
import type { Generation } from '../../src/search/vectors/generation.js';
import { dotProduct, nearestPassages } from '../../src/search/vectors/nearest-passages.js';
import { insertVectors, readVectors } from '../../src/search/vectors/vectors.repository.js';
import { addOrganization, openTestApp, type TestApp } from '../../test/support/test-app.js';
import { storeEntry } from '../../test/support/stored-entry.js';
import { round, type Measure, type Row } from '../measure.js';
import { createRandom } from '../random.js';

const size = 100_000;
const dimension = 768;
const questions = 30;
const limit = 50;
const counted = 10;
/** Subjects that the passages are about: vectors of a real model stand in clusters too. */
const subjects = 400;
const rowsAtOnce = 500;

/** What a search may take at the median, in milliseconds, and what share of the exact ten it must find. */
const bars = { median: 15, recall: 0.99 };

/**
 * The search by vectors among 100,000 passages as the product does it, with the codes in memory and from the disk,
 * beside the exact cosine of every vector.
 */
export async function measureVectors(): Promise<Measure> {
  const test = await openTestApp();
  try {
    const { scope, draw, builtIn } = await build(test);
    const { app } = test;
    const generation = await findLiveGeneration(app);
    if (generation === undefined) throw new Error('no vectors were built');
    const asked = Array.from({ length: questions }, draw);
    const search = (by: Pick<App, 'db' | 'config'>) => (vector: Float32Array) =>
      withIndex(by, scope, async ({ ids }) => {
        const near = await nearestPassages(by, generation, vector, ids, limit);
        return near.map((one) => one.id);
      });
    const first = await timed('codes in memory, the first search', asked.slice(0, 1), search(app));
    const ours = await timed('codes in memory, then exact', asked, search(app));
    // Another database, so that it has no codes in memory.
    const small = { db: { ...app.db, memory: {} }, config: withMemory(app.config, 1) };
    const disk = await timed('codes from the disk, then exact', asked, search(small));
    const exact = await exactly(test, generation, asked);
    return {
      name: 'vectors',
      about: `the ${limit} nearest of ${size} passages with ${dimension} numbers each (built in ${builtIn.toFixed(0)} s), ${questions} questions one after the other; recall: share of the exact ${counted} that is among the first ${counted}; loop max: how long the event loop was held, in ms; bars in memory: median ${bars.median} ms, recall ${bars.recall}`,
      rows: [first, ours, disk].map((one) => rowOf(one, exact)),
    };
  } finally {
    await test.close();
  }
}

function withMemory(config: Config, mb: number): Config {
  return { ...config, search: { ...config.search, vector_memory_mb: mb } };
}

async function build(
  test: TestApp,
): Promise<{ scope: SearchScope; draw: () => Float32Array; builtIn: number }> {
  const started = performance.now();
  const acme = await addOrganization(test);
  const entry = await storeEntry(test, acme, { title: 'One of many', content: 'A first text.' });
  const { app } = test;
  const first = (await app.db.read('passages').first()) as Record<string, unknown>;
  const draw = drawer();
  await insertGeneration(app, { model: 'bench', digest: '', dimension, passagePrefix: '' });
  await changeState(app, 1, 'live');
  const generation = await findLiveGeneration(app);
  if (generation === undefined) throw new Error('no generation');
  const body = 'The text of a passage, as long as most of them are. '.repeat(16);
  for (let made = 0; made < size; made += rowsAtOnce) {
    await inTransaction(app, async (app) => {
      const ids: number[] = [];
      for (let rows = 0; rows < rowsAtOnce; rows += 50) {
        const slice = Array.from({ length: 50 }, (_, index) => ({
          ...first,
          ...{ id: undefined, entry_id: entry.id, position: made + rows + index + 1, body },
        }));
        const added: { id: number }[] = await app.db
          .write('passages')
          .insert(slice)
          .returning('id');
        ids.push(...added.map((row) => row.id));
      }
      await insertVectors(
        app,
        generation,
        ids.map((passageId) => ({ passageId, vector: draw() })),
      );
    });
  }
  const last = (await app.db.read('passages').max({ id: 'id' }).first()) as { id: number };
  await advanceGeneration(app, generation.id, last.id, 0);
  const { organizationId } = acme.operator;
  const scope: SearchScope = { organizationId, appId: acme.appId, tiers: ['public'] };
  return { scope, draw, builtIn: (performance.now() - started) / 1000 };
}

/** Vectors of length 1 around those of some subjects. */
function drawer(): () => Float32Array {
  const random = createRandom(7);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const around = Array.from({ length: subjects }, () =>
    Float32Array.from({ length: dimension }, normal),
  );
  return () => {
    const subject = around[Math.floor(random() * subjects)];
    const vector = Float32Array.from(
      { length: dimension },
      (_, index) => 0.8 * (subject?.[index] ?? 0) + normal(),
    );
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
}

/** The nearest by the cosine of every vector. */
async function exactly(
  { app }: TestApp,
  { id }: Generation,
  asked: Float32Array[],
): Promise<number[][]> {
  const best: { id: number; similarity: number }[][] = asked.map(() => []);
  const all = (await app.db.read('passages').orderBy('id').pluck('id')) as number[];
  for (let start = 0; start < all.length; start += 5000) {
    for (const { id: passage, vector } of await readVectors(
      app,
      id,
      all.slice(start, start + 5000),
    )) {
      asked.forEach((question, index) => {
        best[index]?.push({ id: passage, similarity: dotProduct(question, vector) });
      });
    }
    best.forEach((found, index) => {
      found.sort((a, b) => b.similarity - a.similarity || a.id - b.id);
      best[index] = found.slice(0, counted);
    });
  }
  return best.map((found) => found.map((one) => one.id));
}

interface Timed {
  name: string;
  times: number[];
  found: number[][];
  loopMax: number;
}

async function timed(
  name: string,
  asked: Float32Array[],
  search: (vector: Float32Array) => Promise<number[]>,
): Promise<Timed> {
  // The first searches warm the cache, as a server's has been.
  if (asked.length > 1) for (const vector of asked.slice(0, 5)) await search(vector);
  globalThis.gc?.();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const result: Timed = { name, times: [], found: [], loopMax: 0 };
  delay.enable();
  for (const vector of asked) {
    const started = performance.now();
    result.found.push(await search(vector));
    result.times.push(performance.now() - started);
    // A turn of the loop between two, as between two requests.
    await new Promise(setImmediate);
  }
  delay.disable();
  result.loopMax = delay.max / 1e6;
  return result;
}

function rowOf({ name, times, found, loopMax }: Timed, exact: number[][]): Row {
  const hits = found.reduce((sum, ids, index) => {
    const wanted = new Set(exact[index]);
    return sum + ids.slice(0, counted).filter((id) => wanted.has(id)).length;
  }, 0);
  return {
    search: name,
    'median ms': round(percentile(times, 0.5) ?? 0),
    'p95 ms': round(percentile(times, 0.95) ?? 0),
    [`recall@${counted}`]: round(hits / (counted * found.length)),
    'loop max': round(loopMax),
  };
}
