import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { createApiClient } from '../src/main/demo-api-client.js';
import { addOrganization, addUser, serveTestApp } from '../test/support/test-app.js';
import { longManual } from './long-manual.js';
import { round, type Measure } from './measure.js';

const pages = 400;

/** How long the server's event loop is held while it takes a 400-page PDF in and ingests it. Target: p99 < 20 ms. */
export async function measureEventLoop(): Promise<Measure> {
  const manual = await longManual(pages);
  const test = await serveTestApp({ ingestion: { worker: true, threads: 2 } });
  try {
    const acme = await addOrganization(test);
    const staff = await addUser(test, acme, 'backoffice');
    const client = await createApiClient(test.url, staff.email, staff.password);
    const idle = await observe(() => wait(1000));
    const first = await observe(() => ingest(client, manual));
    // Once more with other bytes: threads and code are warm now, as in a server that has been up for a while.
    const again = await observe(() => ingest(client, Buffer.concat([manual, Buffer.from('\n')])));
    return {
      name: 'event loop',
      about: `delay of the server's event loop in ms while a PDF of ${pages} pages is uploaded and ingested by two threads (resolution 1 ms); target: p99 under 20`,
      rows: [
        { phase: 'idle', ...idle },
        { phase: 'first ingestion', ...first },
        { phase: 'second ingestion', ...again },
      ],
    };
  } finally {
    await test.close();
  }
}

async function ingest(
  client: Awaited<ReturnType<typeof createApiClient>>,
  manual: Buffer,
): Promise<void> {
  const id = await client.upload('manual.pdf', manual, 'acme.example');
  const batch = await client.waitFor(id);
  if (batch.status !== 'completed')
    throw new Error(`the manual was not ingested: ${batch.error?.code ?? ''}`);
}

async function observe(work: () => Promise<void>): Promise<Record<string, number>> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const started = performance.now();
  delay.enable();
  await work();
  delay.disable();
  const ms = (nanoseconds: number) => round(nanoseconds / 1e6);
  const at = (histogram: IntervalHistogram, share: number) => ms(histogram.percentile(share));
  return {
    seconds: round((performance.now() - started) / 1000),
    p50: at(delay, 50),
    p99: at(delay, 99),
    max: ms(delay.max),
  };
}
