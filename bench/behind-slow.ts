import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { startIngestion } from '../src/ingestion/upload/start-ingestion.js';
import { openWorker } from '../src/ingestion/worker/run-worker.js';
import { rawPdf } from '../test/pdf/raw-pdf.js';
import { sampleManual } from '../test/support/sample-manual.js';
import { addOrganization, openTestApp } from '../test/support/test-app.js';
import { median, round, type Measure } from './measure.js';

const smallFiles = 20;
/** As many as there are threads by default, so that each of them has one. */
const slowFiles = 2;
const slowPages = 36;
const slowBytes = 3_000_000;
const rounds = 3;

/** How long small files take that were uploaded after slow large ones, beside the small ones alone. */
export async function measureBehindSlow(): Promise<Measure> {
  const alone: number[] = [];
  const behind: number[] = [];
  for (let number = 0; number < rounds; number += 1) {
    alone.push(await ingestSmall([]));
    behind.push(await ingestSmall(Array.from({ length: slowFiles }, slowPdf)));
  }
  const row = (what: string, values: readonly number[]) => ({
    'small files': what,
    seconds: round(median(values) / 1000),
    'of alone': round(median(values) / median(alone)),
  });
  return {
    name: 'behind-slow',
    about: `seconds until ${smallFiles} PDFs of two pages are ingested: alone, and uploaded after ${slowFiles} slow ones of ${slowPages} pages, whose reading takes longer than all of it; medians of ${rounds} rounds`,
    rows: [row('alone', alone), row('behind slow ones', behind)],
  };
}

/** A large file with pages of 200,000 pieces of text, so that a page takes a while. */
function slowPdf(): Uint8Array {
  const content = deflateSync(`BT /F1 1 Tf ${'(ab) Tj '.repeat(200_000)} ET`);
  const objects: Record<number, [string, Uint8Array]> = { 20: ['', randomBytes(slowBytes)] };
  for (let index = 0; index < slowPages; index += 1) {
    objects[101 + 2 * index] = ['/Filter /FlateDecode', content];
  }
  return rawPdf({ pages: Array.from({ length: slowPages }, () => ''), objects });
}

/** Milliseconds from the start of the worker until all small files are ingested. */
async function ingestSmall(slow: readonly Uint8Array[]): Promise<number> {
  const test = await openTestApp();
  try {
    const acme = await addOrganization(test);
    const upload = (fileName: string, bytes: Uint8Array) =>
      startIngestion(test.app, acme.operator, { fileName, bytes });
    for (const [index, bytes] of slow.entries()) await upload(`slow-${index}.pdf`, bytes);
    for (let index = 0; index < smallFiles; index += 1) {
      await upload(`small-${index}.pdf`, await sampleManual(2, `subject${index}`));
    }
    const started = performance.now();
    const worker = openWorker(test.app);
    try {
      while ((await countUnread(test.app.db.read)) > 0) await wait(20);
      return performance.now() - started;
    } finally {
      await worker.stop();
    }
  } finally {
    await test.close();
  }

  async function countUnread(read: typeof test.app.db.read): Promise<number> {
    const rows = await read('ingestion_batches')
      .where({ status: 'processing' })
      .where('file_size', '<', slowBytes);
    return rows.length;
  }
}
