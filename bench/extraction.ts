import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createPdfExtractor, type PdfExtractor } from '../src/ingestion/pdf/extract-pdf.js';
import { configSchema } from '../src/platform/config/schema.js';
import { codeOf } from '../src/platform/errors.js';
import { median, round, type BenchOptions, type Measure } from './measure.js';

const run = promisify(execFile);
const rounds = 3;

interface Timed {
  file: string;
  pages: number;
  outcome: string;
  ours: number[];
  plain: number[];
  pdftotext: number[];
}

/** Pages per second of text, layout and sections with two workers, beside plain pdf-parse and pdftotext. */
export async function measureExtraction({ pdfFolders }: BenchOptions): Promise<Measure> {
  const files = await listPdfs(pdfFolders);
  const pdftotext = await run('pdftotext', ['-v']).then(
    () => true,
    () => false,
  );
  const extractor = createPdfExtractor({ workers: 2, workerMemoryMb: 1024 });
  const timed: Timed[] = [];
  try {
    // The threads and the code are warm before anything counts, ours and theirs.
    for (const file of files.slice(0, 3)) {
      await extractOurs(extractor, file).catch(() => undefined);
      await extractPlain(file).catch(() => undefined);
    }
    for (const file of files) timed.push(await timeFile(extractor, file, pdftotext));
  } finally {
    await extractor.close();
  }
  const read = timed.filter((one) => one.outcome === 'ok');
  const total: Timed = {
    file: `all ${read.length} that can be read`,
    pages: read.reduce((sum, one) => sum + one.pages, 0),
    outcome: 'ok',
    ours: [read.reduce((sum, one) => sum + median(one.ours), 0)],
    plain: [read.reduce((sum, one) => sum + median(one.plain), 0)],
    pdftotext: [read.reduce((sum, one) => sum + median(one.pdftotext), 0)],
  };
  return {
    name: 'extraction',
    about: `pages/s: ours (text, layout, sections; two workers), plain pdf-parse in one thread${pdftotext ? ', pdftotext' : ' (pdftotext is not installed)'}; medians of ${rounds} interleaved runs`,
    rows: [...timed, total].map((one) => rowOf(one, pdftotext)),
  };
}

async function listPdfs(folders: string[]): Promise<string[]> {
  const files: string[] = [];
  for (const folder of folders) {
    for (const name of (await readdir(folder)).sort()) {
      if (name.endsWith('.pdf')) files.push(join(folder, name));
    }
  }
  return files;
}

async function timeFile(extractor: PdfExtractor, file: string, pdftotext: boolean): Promise<Timed> {
  const timed: Timed = { file, pages: 0, outcome: 'ok', ours: [], plain: [], pdftotext: [] };
  for (let round = 0; round < rounds; round++) {
    try {
      timed.ours.push(await time(async () => (timed.pages = await extractOurs(extractor, file))));
    } catch (error) {
      return { ...timed, outcome: codeOf(error) };
    }
    timed.plain.push(await time(() => extractPlain(file)));
    if (pdftotext) timed.pdftotext.push(await time(() => run('pdftotext', [file, '/dev/null'])));
  }
  return timed;
}

async function extractOurs(extractor: PdfExtractor, file: string): Promise<number> {
  const settings = configSchema.parse({}).ingestion;
  const { pageCount } = await extractor.extract(
    await readFile(file),
    {
      maxPages: settings.max_pages,
      pageTimeoutMs: settings.page_timeout_ms,
      fileTimeoutMs: settings.file_timeout_ms,
      sectionMaxChars: settings.section_max_chars,
      sectionMinChars: settings.section_min_chars,
    },
    { onPages: () => undefined },
  );
  return pageCount;
}

async function extractPlain(file: string): Promise<void> {
  const { PDFParse } = await import('pdf-parse');
  const parser = new PDFParse({ data: new Uint8Array(await readFile(file)) });
  try {
    await parser.getText({ pageJoiner: '' });
  } finally {
    await parser.destroy();
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function rowOf(one: Timed, pdftotext: boolean): Record<string, string | number> {
  const { file, outcome, pages } = one;
  const name = existsSync(file) ? (file.split('/').at(-1) ?? file) : file;
  if (outcome !== 'ok') return { file: name, outcome };
  const [ours, plain, other] = [one.ours, one.plain, one.pdftotext].map(median);
  return {
    file: name,
    outcome,
    pages,
    'ours/s': Math.round(pages / (ours ?? 1)),
    'plain/s': Math.round(pages / (plain ?? 1)),
    'ours : plain': round((plain ?? 0) / (ours ?? 1)),
    ...(pdftotext
      ? {
          'pdftotext/s': Math.round(pages / (other ?? 1)),
          'ours : pdftotext': round((other ?? 0) / (ours ?? 1)),
          'plain : pdftotext': round((other ?? 0) / (plain ?? 1)),
        }
      : {}),
  };
}
