import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { configSchema } from '../src/platform/config/schema.js';
import { addAccount } from '../test/support/accounts.js';
import { addOrganization, serveTestApp } from '../test/support/test-app.js';
import type { Visit, Waited } from './ask-meanwhile.js';
import { observe } from './event-loop.js';
import { round, type Measure, type Row } from './measure.js';
import { addSampleEntries, entryCount, pagesOf, questions } from './sample-entries.js';

/** What attackers do. */
const floods = [
  'sign-ins',
  'big JSON',
  'invalid bodies',
  'slow bodies',
  'half-open sockets',
] as const;
export type Flood = (typeof floods)[number];

const seconds = 8;
/** Signed-in people who ask, so that none meets a limit of their own. */
const people = 8;

/** What others wait while attackers flood the server. Targets: p99 < 100 ms; event loop p99 ≤ 20 ms with invalid bodies. */
export async function measureFlood(): Promise<Measure> {
  // As it is installed: what is refused by the limits is part of what is measured.
  const { limits } = configSchema.parse({});
  const test = await serveTestApp({ limits, answers: { mode: 'extractive' } });
  try {
    const acme = await addOrganization(test);
    await addSampleEntries(test.app, acme);
    const pages = pagesOf(acme.domain);
    const accounts = await Promise.all(
      Array.from({ length: people }, (_, index) => addAccount(test, acme, `Person${index}`)),
    );
    const mallory = await addAccount(test, acme, 'Mallory');
    const visits: Visit[] = [
      {
        name: 'page query',
        perSecond: 40,
        requests: pages.map((url) => ({
          method: 'GET',
          path: `/api/knowledge/page?url=${encodeURIComponent(url)}`,
          headers: {},
        })),
      },
      {
        name: 'answer',
        perSecond: 10,
        requests: questions.map((message, index) => ({
          method: 'POST',
          path: '/api/conversations/message',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${accounts[index % people]?.token ?? ''}`,
          },
          body: JSON.stringify({ message, context: { url: pages[index] ?? '', title: 'Station' } }),
        })),
      },
    ];
    await visitDuring(test.url, visits);
    const rows: Row[] = [];
    for (const chosen of [[], ...floods.map((flood) => [flood]), [...floods]]) {
      rows.push(await rowOf(test.url, visits, chosen, mallory.token));
    }
    return {
      name: 'flood',
      about: `what others wait, in ms, while attackers do nothing but one of these, or all at once, for ${seconds} s each, at the limits of a new installation; ${entryCount} entries; 40 page queries and 10 quoted answers a second; targets: p99 under 100, loop p99 with invalid bodies at most 20`,
      rows,
    };
  } finally {
    await test.close();
  }
}

async function rowOf(url: string, visits: Visit[], chosen: Flood[], token: string): Promise<Row> {
  const program = fileURLToPath(new URL('./generate-flood.js', import.meta.url));
  const flood = fork(program, [url, JSON.stringify(chosen), token]);
  try {
    await wait(1000);
    let waited: Waited = {};
    const loop = await observe(async () => {
      waited = await visitDuring(url, visits);
    });
    flood.send('stop');
    const [sent] = (await once(flood, 'message')) as [number];
    const all = Object.values(waited);
    const percentiles = Object.entries(waited).flatMap(([name, { ms }]) => [
      [`${name} p50`, percentile(ms, 50)],
      [`${name} p99`, percentile(ms, 99)],
    ]);
    return {
      flood: chosen.length > 1 ? 'all at once' : (chosen[0] ?? 'none'),
      'sent/s': Math.round(sent / (seconds + 1)),
      ...(Object.fromEntries(percentiles) as Row),
      failed: all.reduce((sum, { failed }) => sum + failed, 0),
      'loop p50': loop.p50,
      'loop p99': loop.p99,
      'loop max': loop.max,
    };
  } finally {
    flood.kill('SIGKILL');
    // Until the server has seen the connections end.
    await wait(500);
  }
}

async function visitDuring(url: string, visits: Visit[]): Promise<Waited> {
  const program = fileURLToPath(new URL('./ask-meanwhile.js', import.meta.url));
  const child = fork(program, [url, JSON.stringify(visits), String(seconds)]);
  const [waited] = (await once(child, 'message')) as [Waited];
  child.kill();
  return waited;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return round(sorted[Math.ceil((sorted.length * share) / 100) - 1] ?? Number.NaN);
}
