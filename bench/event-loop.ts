import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { addOrganization, addUser, serveTestApp } from '../test/support/test-app.js';
import { longManual } from './long-manual.js';
import { round, type Measure, type Row } from './measure.js';
import { startUploader } from './uploader.js';

const pages = 400;
/** Milliseconds between two looks at the clock: what an idle loop shows as its delay. */
const resolution = 1;

/** How long the server's event loop is held while it takes a 400-page PDF in and ingests it. Target: p99 < 20 ms. */
export async function measureEventLoop(): Promise<Measure> {
  const manual = await longManual(pages);
  const test = await serveTestApp({ ingestion: { worker: true, threads: 2, entries: 'sections' } });
  try {
    const acme = await addOrganization(test);
    const { email, password } = await addUser(test, acme, 'backoffice');
    const uploader = await startUploader({ url: test.url, email, password, domain: acme.domain });
    try {
      const idle = await observe(() => wait(2000));
      const first = await observe(() => uploader.ingest(manual));
      // Once more with other bytes: threads and code are warm now, as in a server that has been up for a while.
      const again = await observe(() =>
        uploader.ingest(Buffer.concat([manual, Buffer.from('\n')])),
      );
      const rowOf = (phase: string, seen: Seen): Row => ({
        phase,
        seconds: seen.seconds,
        p50: seen.p50,
        p99: seen.p99,
        max: seen.max,
        'p99 over idle': round(seen.p99 - idle.p99),
      });
      return {
        name: 'event loop',
        about: `delay of the server's event loop in ms while a PDF of ${pages} pages (${round(manual.length / 2 ** 20)} MB) is uploaded and ingested by two threads, looked at each ${resolution} ms; target: p99 under 20`,
        rows: [
          rowOf('idle', idle),
          rowOf('first ingestion', first),
          rowOf('second ingestion', again),
        ],
      };
    } finally {
      await uploader.stop();
    }
  } finally {
    await test.close();
  }
}

export type Seen = Record<'seconds' | 'p50' | 'p99' | 'max', number>;

/** How late the event loop of this process is while `work` runs, in milliseconds. */
export async function observe(work: () => Promise<void>): Promise<Seen> {
  // What earlier work left to collect is not this work's delay.
  globalThis.gc?.();
  const delay = monitorEventLoopDelay({ resolution });
  const started = performance.now();
  delay.enable();
  await work();
  delay.disable();
  const ms = (nanoseconds: number) => round(nanoseconds / 1e6);
  return {
    seconds: round((performance.now() - started) / 1000),
    p50: ms(delay.percentile(50)),
    p99: ms(delay.percentile(99)),
    max: ms(delay.max),
  };
}
