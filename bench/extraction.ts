import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { promisify } from 'node:util';
import { createPdfExtractor, type PdfExtractor } from '../src/documents/threads/extract-pdf.js';
import { configSchema } from '../src/platform/config/schema.js';
import { codeOf } from '../src/platform/errors.js';
import { median, round, type BenchOptions, type Measure, type Row } from './measure.js';
import { listPdfs, type PdfFile } from './pdf-folder.js';

const run = promisify(execFile);
const rounds = 3;
const settings = configSchema.parse({}).ingestion;

/** Niceness of the product's PDF threads. */
const background = 10;

type Reader = 'ours' | 'plain' | 'pdftotext';
type Seconds = Partial<Record<Reader, number[]>>;

/** What became of one file, and how long each reader took for it in each round. */
interface Timed {
  pages: number;
  outcome: string;
  seconds: Seconds;
}

/** Pages per second of text, layout and sections with two workers, beside plain pdf-parse and pdftotext. */
export async function measureExtraction({ pdfFolders }: BenchOptions): Promise<Measure> {
  const files = await listPdfs(pdfFolders);
  // Our threads step back for the machine's other work. Here all readers do, else that work would decide the
  // race. It can't be taken back without a right that few have: this measure comes last.
  setPriority(background);
  const hasPdftotext = await run('pdftotext', ['-v']).then(
    () => true,
    () => false,
  );
  const readers: Reader[] = hasPdftotext ? ['ours', 'plain', 'pdftotext'] : ['ours', 'plain'];
  const extractor = createPdfExtractor({ workers: 2, workerMemoryMb: settings.thread_memory_mb });
  const timed = new Map<PdfFile, Timed>();
  try {
    // The threads and the code are warm before anything counts, ours and theirs.
    for (const file of files) await timeFile(extractor, file, readers, 1);
    for (const file of files) timed.set(file, await timeFile(extractor, file, readers, rounds));
  } finally {
    await extractor.close();
  }
  const read = [...timed.values()].filter(({ outcome }) => outcome === 'ok');
  const total: Timed = {
    pages: read.reduce((sum, { pages }) => sum + pages, 0),
    outcome: 'ok',
    seconds: Object.fromEntries(
      readers.map((reader) => [
        reader,
        [read.reduce((sum, { seconds }) => sum + median(seconds[reader] ?? []), 0)],
      ]),
    ),
  };
  const foretold = [...timed].filter(([file]) => file.expected !== undefined);
  const asSaid = foretold.filter(([file, { outcome }]) => file.expected === outcome).length;
  const verdicts =
    foretold.length === 0 ? '' : `; ${asSaid} of ${foretold.length} outcomes as manifest.json says`;
  const beside = hasPdftotext ? ', and pdftotext' : '; pdftotext is not installed here';
  return {
    name: 'extraction',
    about: `pages/s: ours (text, layout, sections; two workers), plain pdf-parse (text; one thread)${beside}; medians of ${rounds} interleaved rounds after a warm-up${verdicts}`,
    rows: [
      ...[...timed].map(([file, one]) => rowOf(file.name, file.expected, one)),
      rowOf(`all ${read.length} that can be read`, undefined, total),
    ],
  };
}

async function timeFile(
  extractor: PdfExtractor,
  { path }: PdfFile,
  readers: readonly Reader[],
  times: number,
): Promise<Timed> {
  const seconds: Seconds = {};
  let pages = 0;
  const read = {
    ours: async () => (pages = await extractOurs(extractor, path)),
    plain: () => extractPlain(path),
    pdftotext: () => run('pdftotext', [path, '/dev/null']),
  };
  try {
    for (let turn = 0; turn < times; turn++) {
      // Each reader comes first once: what a neighbour leaves in caches favours none of them.
      for (let place = 0; place < readers.length; place++) {
        const reader = readers[(turn + place) % readers.length] ?? 'ours';
        const started = performance.now();
        try {
          await read[reader]();
        } catch (error) {
          // Only our own verdict counts; what the others can't read is left without a figure.
          if (reader === 'ours') throw error;
          continue;
        }
        (seconds[reader] ??= []).push((performance.now() - started) / 1000);
      }
    }
  } catch (error) {
    return { pages, outcome: codeOf(error), seconds: {} };
  }
  return { pages, outcome: 'ok', seconds };
}

async function extractOurs(extractor: PdfExtractor, path: string): Promise<number> {
  const { pageCount } = await extractor.extract(
    await readFile(path),
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

async function extractPlain(path: string): Promise<void> {
  const { PDFParse } = await import('pdf-parse');
  const parser = new PDFParse({ data: new Uint8Array(await readFile(path)) });
  try {
    await parser.getText({ pageJoiner: '' });
  } finally {
    await parser.destroy();
  }
}

function rowOf(file: string, expected: string | undefined, one: Timed): Row {
  const { outcome, pages, seconds } = one;
  const surprise = expected !== undefined && expected !== outcome;
  const verdict = surprise ? `${outcome} (expected ${expected})` : outcome;
  if (outcome !== 'ok') return { file, outcome: verdict };
  const [ours, plain, other] = [seconds.ours, seconds.plain, seconds.pdftotext].map((times) =>
    times === undefined ? undefined : median(times),
  );
  const row: Row = { file, outcome: verdict, pages };
  const speed = (time: number | undefined) => time && Math.round(pages / time);
  const ratio = (theirs: number | undefined, mine: number | undefined) =>
    theirs && mine && round(theirs / mine);
  const figures = {
    'ours/s': speed(ours),
    'plain/s': speed(plain),
    'pdftotext/s': speed(other),
    'ours : plain': ratio(plain, ours),
    'ours : pdftotext': ratio(other, ours),
    'plain : pdftotext': ratio(other, plain),
  };
  for (const [title, figure] of Object.entries(figures)) {
    if (figure !== undefined) row[title] = figure;
  }
  return row;
}
