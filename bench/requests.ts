import { Worker } from 'node:worker_threads';
import autocannon from 'autocannon';
import type { NewEntry } from '../src/knowledge/entry.js';
import { addEntries } from '../src/knowledge/store-entries.js';
import { inTransaction } from '../src/platform/db/in-transaction.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestOrganization,
} from '../test/support/test-app.js';
import type { Measure } from './measure.js';
import { startServerProcess } from './server-process.js';

const entries = 2000;
const patterns = 200;
const seconds = 5;
const connections = 8;
const subjects = [
  'pump',
  'valve',
  'filter',
  'motor',
  'panel',
  'sensor',
  'alarm',
  'cable',
  'switch',
  'drain',
];

/** Requests per second of the page query and of messages, beside a bare Koa route in the same run. */
export async function measureRequests(): Promise<Measure> {
  const test = await openTestApp();
  const acme = await addOrganization(test);
  const reader = await addUser(test, acme, 'user');
  await fill(test.app, acme);
  const server = await startServerProcess(test.app.config.database.path);
  const bare = await startBareKoa();
  try {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${reader.token}` };
    const page = `/api/knowledge/page?url=${encodeURIComponent(`https://${acme.domain}/section-7/item`)}`;
    const message = (subject: string) =>
      JSON.stringify({
        message: `How do I clean the ${subject} of station ${subject.length}?`,
        context: { url: `https://${acme.domain}/section-7`, title: 'Bench' },
      });
    const rows = [
      await load('bare Koa route', bare.url, [{ method: 'GET', path: '/' }]),
      await load('page query', server.url, [{ method: 'GET', path: page }]),
      await load(
        'message (extractive)',
        server.url,
        subjects.map((subject) => ({
          method: 'POST',
          path: '/api/conversations/message',
          body: message(subject),
          headers,
        })),
      ),
    ];
    const base = rows[0]?.perSecond ?? 1;
    return {
      name: 'requests',
      about: `${connections} connections for ${seconds} s; ${entries} entries on one domain with ${patterns} URL patterns; share of a bare Koa route in the same run`,
      rows: rows.map(({ perSecond, ...row }) => ({
        ...row,
        'requests/s': Math.round(perSecond),
        'of bare': Number((perSecond / base).toPrecision(2)),
      })),
    };
  } finally {
    await bare.stop();
    await server.stop();
    await test.close();
  }
}

async function fill(app: Parameters<typeof addEntries>[0], acme: TestOrganization): Promise<void> {
  const made = Array.from({ length: entries }, (_, index): NewEntry => {
    const subject = subjects[index % subjects.length] ?? 'pump';
    return {
      organizationId: acme.operator.organizationId,
      appId: acme.appId,
      viewId: null,
      domain: acme.domain,
      urlPattern: index % 3 === 0 ? null : `/section-${index % patterns}/*`,
      title: `Cleaning the ${subject} of station ${index}`,
      content: `To clean the ${subject} of station ${index}, switch it off, open the cover and wipe it. Close the cover of station ${index} afterwards.`,
      language: 'en',
      status: 'published',
      visibility: 'public',
      visibilityDefaulted: false,
      batchId: null,
      chunkIndex: null,
      pageFrom: null,
      pageTo: null,
      changedBy: 'bench',
    };
  });
  for (let start = 0; start < made.length; start += 200) {
    await inTransaction(app, (app) => addEntries(app, made.slice(start, start + 200)));
  }
}

async function load(
  name: string,
  url: string,
  requests: autocannon.Request[],
): Promise<{
  route: string;
  perSecond: number;
  'p50 ms': number;
  'p99 ms': number;
  failed: number;
}> {
  await autocannon({ url, requests, connections, duration: 1 });
  const result = await autocannon({ url, requests, connections, duration: seconds });
  return {
    route: name,
    perSecond: result.requests.average,
    'p50 ms': result.latency.p50,
    'p99 ms': result.latency.p99,
    failed: result.non2xx + result.errors,
  };
}

/** The least that Koa can do, in a thread of its own. */
async function startBareKoa(): Promise<{ url: string; stop(): Promise<void> }> {
  const worker = new Worker(new URL('./bare-koa.js', import.meta.url));
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await worker.terminate();
    },
  };
}
