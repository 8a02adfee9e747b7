import { insertEntries } from '../src/knowledge/entries.repository.js';
import type { App } from '../src/platform/app.js';
import { inTransaction } from '../src/platform/db/in-transaction.js';
import { addOrganization, openTestApp, type TestOrganization } from '../test/support/test-app.js';
import { connections, load, rowOf, seconds, type Load } from './load.js';
import type { Measure } from './measure.js';
import { sampleEntry } from './sample-entries.js';
import { startBareKoa, startServerProcess } from './server-process.js';

const sizes = [1000, 10_000, 100_000];
const patterns = 1000;
/** Pages in rotation, each under a pattern of its own. */
const pages = 200;

/** The page query with ever more entries on one domain: it should hardly grow. */
export async function measurePageQuery(): Promise<Measure> {
  const bare = await startBareKoa();
  try {
    const loadBare = () => load('bare Koa route', bare, [{ method: 'GET', path: '/' }]);
    const before = await loadBare();
    const ours: (Load & { kB: number })[] = [];
    for (const size of sizes) ours.push(await measureSize(size));
    const after = await loadBare();
    const base = [before, after];
    const first = ours[0]?.p99 ?? 1;
    return {
      name: 'page query',
      about: `${connections} connections for ${seconds} s each, ${pages} pages in rotation, entries spread over ${patterns} URL patterns of one domain, anonymous; kB of one answer; CPU of all threads of the server; "bare of that": the bare route's CPU as a share; "of first": p99 as a multiple of that with ${sizes[0] ?? 0} entries`,
      rows: [
        rowOf(before, base),
        ...ours.map((one) => ({
          ...rowOf(one, base),
          kB: one.kB,
          'of first': Number((one.p99 / first).toFixed(2)),
        })),
        rowOf(after, base),
      ],
    };
  } finally {
    await bare.stop();
  }
}

async function measureSize(size: number): Promise<Load & { kB: number }> {
  const test = await openTestApp();
  try {
    const acme = await addOrganization(test);
    // The application of a test runs each transaction twice.
    const app = await test.openAnother();
    await fill(app, acme, size);
    await app.close();
    const server = await startServerProcess(test.app.config.database.path);
    try {
      const requests = Array.from({ length: pages }, (_, index) => {
        const url = `https://${acme.domain}/section-${index * (patterns / pages)}/page`;
        return {
          method: 'GET' as const,
          path: `/api/knowledge/page?url=${encodeURIComponent(url)}`,
        };
      });
      const answer = await fetch(`${server.url}${requests[0]?.path ?? ''}`);
      const kB = Math.round((await answer.arrayBuffer()).byteLength / 1000);
      return { ...(await load(`${size} entries`, server, requests)), kB };
    } finally {
      await server.stop();
    }
  } finally {
    await test.close();
  }
}

/** Straight into the table: what is found in texts plays no part in this. */
async function fill(app: App, acme: TestOrganization, size: number): Promise<void> {
  const entries = Array.from({ length: size }, (_, index) =>
    sampleEntry(acme, index, `/section-${index % patterns}/*`),
  );
  await inTransaction(app, (app) => insertEntries(app, entries));
}
