import { monitorEventLoopDelay } from 'node:perf_hooks';
import { percentile } from '../../src/evaluation/measures.js';
import { inTransaction } from '../../src/platform/db/in-transaction.js';
import type { SearchScope } from '../../src/retrieval/scope.js';
import {
  findLiveGeneration,
  insertGeneration,
  changeState,
} from '../../src/retrieval/vectors/generations.repository.js';
import { toBlob } from '../../src/retrieval/vectors/vector-code.js';
import { insertVectors, nearestPassages } from '../../src/retrieval/vectors/vectors.repository.js';
import { addOrganization, openTestApp, type TestApp } from '../../test/support/test-app.js';
import { storeEntry } from '../../test/support/stored-entry.js';
import { round, type Measure, type Row } from '../measure.js';
import { loadVectors, scanBytes, scanFloats, scanSigns } from './scan-vectors.js';
import { createRandom } from './random.js';

const size = 100_000;
const dimension = 768;
const questions = 30;
const limit = 50;
/** Subjects that the passages are about: vectors of a real model stand in clusters too. */
const subjects = 400;
const rowsAtOnce = 500;

/**
 * The search by vectors among 100,000 passages as the product does it, beside what else could: sqlite-vec comparing
 * every vector exactly, and scans of vectors in this process, which hold its event loop and know no rights.
 */
export async function measureVectors(): Promise<Measure> {
  const test = await openTestApp();
  try {
    const { scope, draw, builtIn } = await build(test);
    const generation = await findLiveGeneration(test.app);
    if (generation === undefined) throw new Error('no vectors were built');
    const { id } = generation;
    const asked = Array.from({ length: questions }, draw);
    const exact = await timed('exact: every vector, sqlite-vec', asked, (vector) =>
      exactly(test, id, vector),
    );
    const ours = await timed('signs, then exact: sqlite-vec', asked, async (vector) =>
      (await nearestPassages(test.app, id, vector, scope, limit)).map((one) => one.id),
    );
    const loaded = await loadVectors(test.app, id, dimension);
    const floats = await timed('in this process: 32-bit floats', asked, (vector) =>
      Promise.resolve(scanFloats(loaded, vector, limit)),
    );
    const bytes = await timed('in this process: 8-bit integers', asked, (vector) =>
      Promise.resolve(scanBytes(loaded, vector, limit)),
    );
    const signs = await timed('in this process: signs, then exact', asked, (vector) =>
      Promise.resolve(scanSigns(loaded, vector, limit)),
    );
    const all = [ours, exact, signs, floats, bytes];
    return {
      name: 'vectors',
      about: `the ${limit} nearest of ${size} passages with ${dimension} numbers each (built in ${builtIn.toFixed(0)} s), ${questions} questions one after the other; recall: share of the exact ${limit} that is found; loop max: how long the event loop was held, in ms; the scans in this process leave out the rights and keep the vectors in memory`,
      rows: all.map((one) => rowOf(one, exact)),
    };
  } finally {
    await test.close();
  }
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

async function exactly(
  { app }: TestApp,
  generationId: number,
  vector: Float32Array,
): Promise<number[]> {
  const rows = await app.db.read.raw<{ passage_id: number }[]>(
    `select passage_id from passage_vectors where generation_id = ?
     order by vec_distance_cosine(vector, ?) limit ?`,
    [generationId, toBlob(vector), limit],
  );
  return rows.map((row) => row.passage_id);
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
  for (const vector of asked.slice(0, 5)) await search(vector);
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

function rowOf({ name, times, found, loopMax }: Timed, exact: Timed): Row {
  const median = percentile(times, 0.5) ?? 0;
  const hits = found.reduce((sum, ids, index) => {
    const wanted = new Set(exact.found[index]);
    return sum + ids.filter((id) => wanted.has(id)).length;
  }, 0);
  return {
    search: name,
    'median ms': round(median),
    'p95 ms': round(percentile(times, 0.95) ?? 0),
    'of exact': round(median / (percentile(exact.times, 0.5) ?? 1)),
    recall: round(hits / (limit * found.length)),
    'loop max': round(loopMax),
  };
}
