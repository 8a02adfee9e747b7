import { setTimeout as wait } from 'node:timers/promises';
import type { OpenedApp } from '../src/main/open-app.js';
import type { App } from '../src/platform/app.js';
import { createSearchThread } from '../src/search/search-in-thread.js';
import { searchPassages, type Searching } from '../src/search/search-passages.js';
import { withIndex } from '../src/search/term-index/open-index.js';
import { dotProduct, nearestPassages } from '../src/search/vectors/nearest-passages.js';
import { readVectors } from '../src/search/vectors/vectors.repository.js';
import { addOrganization, openTestApp, type TestOrganization } from '../test/support/test-app.js';
import { addWidgetKey } from '../test/support/widget-keys.js';
import { observe } from './event-loop.js';
import { median, percentile, round, type BenchOptions, type Measure, type Row } from './measure.js';
import {
  addPassages,
  addVectors,
  dimension,
  scopeOf,
  type DrawnVectors,
} from './million-passages.js';
import { watchMemory } from './peak-memory.js';
import { createRandom } from './random.js';
import { serveEmbeddings } from './retrieval/embedding-server.js';
import { cpuMsOf, startServerProcess } from './server-process.js';

const passages = 1_000_000;
/** The share of the passages that the small organization has. */
const smallShare = 1 / 100;
const asked = 60;
const wordsAsked = 9;
const limit = 20;
const rounds = 3;
const atOnce = 8;
/** Questions whose nearest passages are also found by comparing all vectors. */
const exact = 10;
const counted = 10;
const idleMs = 5000;
/** The stand-in for an embedding model. */
const model = 'bench';

/** Searches among a million passages, the start of a server that has them, and its memory. */
export async function measureMillion({ share }: BenchOptions): Promise<Measure> {
  const size = Math.max(20_000, Math.round(passages * share));
  const test = await openTestApp({}, undefined, undefined, '');
  // The application of a test runs each transaction twice.
  const app = await test.openAnother();
  try {
    const started = performance.now();
    const small = await addOrganization(test, 'Small');
    const large = await addOrganization(test, 'Large');
    await addPassages(app, small, size * smallShare, 1);
    await addPassages(app, large, size);
    const vectors = await addVectors(app, { model, digest: `sha256:${model}` }, [small, large]);
    const builtIn = Math.round((performance.now() - started) / 1000);
    const rows: Row[] = [];
    for (const acme of [large, small]) rows.push(...(await measureSearches(app, acme, vectors)));
    rows.push(...(await measureLoop(app, large, vectors)));
    rows.push(...(await measureServer(app, large, vectors)));
    return {
      name: 'a million passages',
      about: `SQLite, ${size} passages of one organization and ${size * smallShare} of another, with vectors of 768 numbers, built in ${builtIn} s; ${asked} questions with ${rounds} rounds, of each question the least; ms and CPU in milliseconds, CPU of all threads; the model answers at once; targets: p95 of words 50 ms, with vectors 100 ms, recall 0.99, event loop p99 20 ms, start 10 s`,
      rows,
    };
  } finally {
    await app.close();
    await test.close();
  }
}

/** One search after the other, in a server's thread for searches: by words alone, and with vectors. */
async function measureSearches(
  app: App,
  acme: TestOrganization,
  vectors: DrawnVectors,
): Promise<Row[]> {
  const texts = await questionsOf(app, acme);
  const scope = scopeOf(acme);
  const ids = await withIndex(app, scope, (index) => Promise.resolve(index.ids));
  const rows: Row[] = [];
  for (const [name, by] of [
    ['words', app],
    ['words and vectors', withModel(app, vectors)],
  ] as const) {
    const times = texts.map(() => ({ ms: Infinity, cpu: Infinity }));
    await inThread(by, async (threaded) => {
      for (let round = 0; round < rounds; round++) {
        for (const [index, text] of texts.entries()) {
          const before = process.cpuUsage();
          const started = performance.now();
          await searchPassages(threaded, { text, scope, limit });
          const ms = performance.now() - started;
          const { user, system } = process.cpuUsage(before);
          const best = times[index];
          const cpu = Math.min(best?.cpu ?? Infinity, (user + system) / 1000);
          times[index] = { ms: Math.min(best?.ms ?? Infinity, ms), cpu };
        }
      }
    });
    const [ms, cpu] = [times.map((one) => one.ms), times.map((one) => one.cpu)];
    rows.push({
      what: `${name}, among ${ids.length}`,
      ...{ 'median ms': round(median(ms)), 'p95 ms': percentile(ms, 95) },
      ...{ 'CPU median': round(median(cpu)), 'CPU p95': percentile(cpu, 95) },
    });
  }
  const recall = await recallOf(app, vectors, ids);
  return [...rows, { what: `vectors, among ${ids.length}`, [`recall@${counted}`]: recall }];
}

/** Words that follow each other in a passage; in each third question one of them is misspelt. */
async function questionsOf(app: App, { operator }: TestOrganization): Promise<string[]> {
  const random = createRandom(3);
  const own = { organization_id: operator.organizationId };
  const bodies = (await app.db
    .read('passages')
    .where(own)
    .limit(20 * asked)
    .pluck('body')) as string[];
  return Array.from({ length: asked }, (_, index) => {
    const words = (bodies[(index * 20) % bodies.length] ?? '').match(/\p{L}+/gu) ?? [];
    const first = Math.floor(random() * Math.max(1, words.length - wordsAsked));
    const some = words.slice(first, first + wordsAsked);
    const longest = some.toSorted((a, b) => b.length - a.length)[0];
    return some
      .map((word) =>
        index % 3 === 0 && word === longest ? word.slice(0, 2) + word.slice(3) : word,
      )
      .join(' ');
  });
}

function withModel(app: App, { generation: { digest }, draw }: DrawnVectors): App {
  const embed = () => Promise.resolve({ model, digest, dimension, vectors: [draw()], tokens: 0 });
  const ollama = { ...app.config.ollama, embedding_model: model };
  return { ...app, config: { ...app.config, ollama }, models: { ...app.models, embed } };
}

async function inThread(app: App, work: (threaded: Searching) => Promise<void>): Promise<void> {
  const searchThread = createSearchThread(app);
  try {
    await work({ ...app, searchThread });
  } finally {
    await searchThread.close();
  }
}

/** The share of the nearest ten by the cosine of every vector that the search finds among its first ten. */
async function recallOf(
  app: App,
  { generation, draw }: DrawnVectors,
  visible: Uint32Array,
): Promise<number> {
  const questions = Array.from({ length: exact }, draw);
  const best: { id: number; similarity: number }[][] = questions.map(() => []);
  for (let start = 0; start < visible.length; start += 5000) {
    const some = [...visible.subarray(start, start + 5000)];
    const vectors = await readVectors(app, generation.id, some);
    for (const [index, question] of questions.entries()) {
      const before = best[index] ?? [];
      const least = before[counted - 1]?.similarity ?? -1;
      const nearer = vectors
        .map(({ id, vector }) => ({ id, similarity: dotProduct(question, vector) }))
        .filter(({ similarity }) => similarity >= least);
      best[index] = [...before, ...nearer]
        .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
        .slice(0, counted);
    }
  }
  let hits = 0;
  for (const [index, question] of questions.entries()) {
    const found = await nearestPassages(app, generation, question, visible, 50);
    const first = new Set(found.slice(0, counted).map(({ id }) => id));
    hits += best[index]?.filter(({ id }) => first.has(id)).length ?? 0;
  }
  return Math.round((1000 * hits) / (exact * counted)) / 1000;
}

/** How late the event loop of a server is while it searches, beside an idle one. */
async function measureLoop(
  app: App,
  acme: TestOrganization,
  vectors: DrawnVectors,
): Promise<Row[]> {
  const texts = await questionsOf(app, acme);
  const rows: Row[] = [];
  await inThread(withModel(app, vectors), async (threaded) => {
    const ask = (text: string) => searchPassages(threaded, { text, scope: scopeOf(acme), limit });
    await ask(texts[0] ?? '');
    const idle = await observe(() => wait(idleMs));
    let next = 0;
    const askNext = async () => {
      for (let text = texts[next++]; text !== undefined; text = texts[next++]) await ask(text);
    };
    const busy = await observe(async () => {
      await Promise.all(Array.from({ length: atOnce }, askNext));
    });
    rows.push({ what: 'event loop, idle, p99', ms: idle.p99 });
    rows.push({ what: `event loop, ${atOnce} searches at once, p99`, ms: busy.p99 });
  });
  return rows;
}

/** From the start of a server to its first answer, and its memory. */
async function measureServer(app: OpenedApp, acme: TestOrganization, { draw }: DrawnVectors) {
  const texts = await questionsOf(app, acme);
  const key = await addWidgetKey({ app }, acme, 'public');
  const embeddings = await serveEmbeddings(model, (texts) =>
    Promise.resolve(texts.map(() => [...draw()])),
  );
  const rows: Row[] = [];
  const started = performance.now();
  const since = async () => ({
    ms: Math.round(performance.now() - started),
    CPU: await cpuMsOf(server.pid),
  });
  const server = await startServerProcess(app.config.database.path, {
    ASSISTANT_OLLAMA_URL: embeddings.url,
    ASSISTANT_OLLAMA_EMBEDDING_MODEL: model,
  });
  const memory = watchMemory(server.pid);
  try {
    rows.push({ what: 'from the start of a server until it listens', ...(await since()) });
    const ask = async (message: string) => {
      const page = `https://${acme.domain}/`;
      const response = await fetch(`${server.url}/widget/message`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Widget-Key': key,
          Origin: new URL(page).origin,
        },
        body: JSON.stringify({ message, context: { url: page, title: 'Start' } }),
      });
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
    };
    rows.push({ what: 'its memory then', MB: await memory.soFar() });
    await ask(texts[0] ?? '');
    rows.push({ what: 'until its first answer', ...(await since()) });
    await ask(texts[1] ?? '');
    rows.push({ what: 'until its second answer', ...(await since()) });
    for (const text of texts) await ask(text);
    rows.push({ what: `its memory after ${asked} answers`, MB: await memory.soFar() });
    return rows;
  } finally {
    memory.stop();
    await server.stop();
    await embeddings.stop();
  }
}
