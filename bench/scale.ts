import { join } from 'node:path';
import autocannon from 'autocannon';
import { addEntries } from '../src/knowledge/store-entries.js';
import { answerPage } from '../src/knowledge/answer-page.js';
import { visibilities } from '../src/platform/actor.js';
import { systemClock } from '../src/platform/clock.js';
import { copyDatabase } from '../src/platform/db/copy-database.js';
import type { Database } from '../src/platform/db/database.js';
import { inTransaction } from '../src/platform/db/in-transaction.js';
import { migrate } from '../src/platform/db/migrate.js';
import { openDatabase } from '../src/platform/db/open-database.js';
import { openPostgres } from '../src/platform/db/open-postgres.js';
import type { App } from '../src/platform/app.js';
import { searchPassages } from '../src/search/search-passages.js';
import { createDatabase, startTestPostgres } from '../test/support/postgres-server.js';
import { storeTalk } from '../test/support/stored-talk.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../test/support/test-app.js';
import { median, percentile, round, type BenchOptions, type Measure, type Row } from './measure.js';
import { questions, sampleEntry } from './sample-entries.js';
import { cpuMsOf, startServerProcess } from './server-process.js';

const entries = 50_000;
const perTransaction = 500;
const searches = 300;
const talks = 500;
const atOnce = 8;
const answers = 1000;

/**
 * One server on PostgreSQL beside one on SQLite, in the same process, what copying between them takes, and two servers.
 */
export async function measureScale({ share }: BenchOptions): Promise<Measure> {
  const size = Math.max(1000, Math.round(entries * share));
  const server = await startTestPostgres();
  const tests: TestApp[] = [];
  try {
    const found: Figures[] = [];
    let two: Figures = {};
    for (const postgres of ['', server.url]) {
      const test = await openTestApp({}, undefined, undefined, postgres);
      tests.push(test);
      const acme = await addOrganization(test);
      const { token } = await addUser(test, acme, 'user');
      const figures = await measureEngine(test, acme, size);
      found.push({ ...figures, ...(await measureServers(test, acme, token, 1)) });
      if (postgres !== '') two = await measureServers(test, acme, token, 2);
    }
    const [sqlite, postgres] = found as [Figures, Figures];
    const rows: Row[] = Object.keys(sqlite).map((what) => ({
      what,
      SQLite: sqlite[what] ?? 0,
      PostgreSQL: postgres[what] ?? 0,
      'two servers': two[what] ?? '',
      ratio: round((postgres[what] ?? 0) / (sqlite[what] ?? 0)),
    }));
    const [test] = tests as [TestApp];
    const copy = await measureCopy(test, (await createDatabase(server.url)).url);
    return {
      name: 'scale',
      about: `${size} entries; ${searches} searches and page queries; targets: search at most 1.5 × SQLite's median, copying at least 20,000 rows a second, with the comparison of all rows (under the engine that is copied to)`,
      rows: [...rows, { what: 'rows copied to it, per s', ...copy }],
    };
  } finally {
    for (const test of tests) await test.close();
    await server.stop();
  }
}

type Figures = Record<string, number>;

async function measureEngine(
  test: TestApp,
  acme: TestOrganization,
  size: number,
): Promise<Figures> {
  // The application of a test runs each transaction twice on SQLite.
  const app = await test.openAnother();
  try {
    return await measureIn(app, acme, size);
  } finally {
    await app.close();
  }
}

async function measureIn(app: App, acme: TestOrganization, size: number): Promise<Figures> {
  const filled = await timeOf(() => fill(app, acme, size));
  const { organizationId } = acme.operator;
  const scope = { organizationId, appId: acme.appId, tiers: [...visibilities] };
  const ask = (index: number) =>
    searchPassages(app, { text: questions[index % questions.length] ?? '', scope, limit: 10 });
  await ask(0);
  const search = await timesOf(searches, ask);
  const page = await timesOf(searches, (index) =>
    answerPage(app, acme.operator, { url: `https://${acme.domain}/section-${index % 200}/x` }),
  );
  const talk = await timesOf(talks, (index) => {
    const at = new Date(Date.UTC(2026, 10, 1, 0, 0, index)).toISOString();
    return inTransaction(app, (app) => storeTalk(app, { organizationId, at, question: 'Why?' }));
  });
  return {
    'entries stored, per s': Math.round((size * 1000) / filled),
    'search, median ms': round(median(search)),
    'search, p95 ms': percentile(search, 95),
    'page query, median ms': round(median(page)),
    'question with its reply stored, median ms': round(median(talk)),
  };
}

/** Questions to servers as processes, each of which answers as many at once, by quotations. */
async function measureServers(
  test: TestApp,
  { domain }: TestOrganization,
  token: string,
  count: number,
): Promise<Figures> {
  const { path, url } = test.app.config.database;
  const settings = url === null ? {} : { ASSISTANT_DATABASE_URL: url };
  const requests = questions.map((message) => ({
    ...{ method: 'POST' as const, path: '/api/conversations/message' },
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ message, context: { url: `https://${domain}/`, title: '' } }),
  }));
  const start = () => startServerProcess(path, settings);
  const servers = await Promise.all(Array.from({ length: count }, start));
  const cpu = async () => sum(await Promise.all(servers.map(({ pid }) => cpuMsOf(pid))));
  const ask = (amount: number) =>
    Promise.all(
      servers.map((one) => autocannon({ url: one.url, connections: atOnce, amount, requests })),
    );
  try {
    await ask(answers / 4);
    const before = await cpu();
    const results = await ask(answers);
    const failed = sum(results.map(({ non2xx, errors }) => non2xx + errors));
    if (failed > 0) throw new Error(`${failed} questions had no answer`);
    return {
      [`quoted answers, ${atOnce} at once of each server, per s`]: Math.round(
        sum(results.map(({ duration }) => answers / duration)),
      ),
      '… p99 ms': Math.max(...results.map(({ latency }) => latency.p99)),
      '… CPU ms of its server, each': round(((await cpu()) - before) / (answers * count)),
    };
  } finally {
    await Promise.all(servers.map((one) => one.stop()));
  }
}

async function fill(app: App, acme: TestOrganization, size: number): Promise<void> {
  for (let start = 0; start < size; start += perTransaction) {
    const slice = Array.from({ length: perTransaction }, (_, at) =>
      sampleEntry(acme, start + at, (start + at) % 3 === 0 ? null : `/section-${at % 200}/*`),
    );
    await inTransaction(app, (app) => addEntries(app, slice));
  }
}

async function measureCopy({ app, folder }: TestApp, url: string): Promise<Row> {
  const { database } = app.config;
  const open = (path: string) => openDatabase({ ...database, path, readers: 1 });
  const opened = [await open(database.path), openPostgres(url, 1), await open(join(folder, 'to'))];
  const [source, postgres, file] = opened as [Database, Database, Database];
  try {
    const copied = async (from: Database, to: Database) => {
      await migrate({ db: to, clock: systemClock }, '', { copies: false });
      let rows = 0;
      const ms = await timeOf(async () => {
        for (const one of await copyDatabase(from, to)) rows += one.rows;
      });
      return Math.round((rows * 1000) / ms);
    };
    return { PostgreSQL: await copied(source, postgres), SQLite: await copied(postgres, file) };
  } finally {
    for (const db of opened) await db.close();
  }
}

const sum = (list: number[]) => list.reduce((all, one) => all + one, 0);

async function timesOf(count: number, work: (index: number) => Promise<unknown>) {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) times.push(await timeOf(() => work(index)));
  return times;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
