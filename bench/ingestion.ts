import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDocumentExtractor } from '../src/documents/extract-document.js';
import { configSchema } from '../src/platform/config/schema.js';
import { packageRoot } from '../src/platform/package-root.js';
import { sampleManual } from '../test/support/sample-manual.js';
import { median, round, type Measure } from './measure.js';

const files = 200;
const rounds = 3;
const program = join(packageRoot(), 'bin/assistant.js');
const settings = configSchema.parse({}).ingestion;

/** How long `assistant ingest` takes for many small files, and once more, beside reading them and nothing else. */
export async function measureIngestion(): Promise<Measure> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-ingestion-'));
  try {
    const pdfs = join(folder, 'pdfs');
    await mkdir(pdfs);
    const paths = Array.from({ length: files }, (_, index) => join(pdfs, `manual-${index}.pdf`));
    for (const [index, path] of paths.entries()) {
      await writeFile(path, await sampleManual(2, `subject${index}`));
    }
    const took = { alone: [] as number[], first: [] as number[], again: [] as number[] };
    for (let number = 0; number < rounds; number += 1) {
      const place = join(folder, `round-${number}`);
      await mkdir(place);
      run(place, ['init', '--yes', '--email', 'bench@localhost.example']);
      took.alone.push(await extractAll(paths));
      took.first.push(run(place, ['ingest', pdfs, '--json']));
      took.again.push(run(place, ['ingest', pdfs, '--json']));
    }
    const [alone, first, again] = [took.alone, took.first, took.again].map(median);
    return {
      name: 'ingestion',
      about: `${files} PDFs of 2 pages, medians of ${rounds} rounds, ${settings.threads} threads. Targets: at most twice extraction alone; once more, in less than extraction alone.`,
      rows: [
        row('extraction alone', alone, alone, first),
        row('assistant ingest', first, alone, first),
        row('once more, unchanged', again, alone, first),
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function row(what: string, ms = Number.NaN, alone = Number.NaN, first = Number.NaN) {
  return {
    ingestion: what,
    seconds: round(ms / 1000),
    'files/s': Math.round((files * 1000) / ms),
    'of extraction': round(ms / alone),
    'of the first': round(ms / first),
  };
}

/** Milliseconds that reading all files takes, from the start of the threads to their end. */
async function extractAll(paths: readonly string[]): Promise<number> {
  const started = performance.now();
  const { threads, thread_memory_mb } = settings;
  const extractor = createDocumentExtractor({ workers: threads, workerMemoryMb: thread_memory_mb });
  const queue = [...paths];
  const lane = async () => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const options = {
        maxPages: settings.max_pages,
        pageTimeoutMs: settings.page_timeout_ms,
        fileTimeoutMs: settings.file_timeout_ms,
        sectionMaxChars: settings.section_max_chars,
        sectionMinChars: settings.section_min_chars,
      };
      await extractor.extract(await readFile(path), options, { onPages: () => undefined });
    }
  };
  await Promise.all(Array.from({ length: threads }, lane));
  await extractor.close();
  return performance.now() - started;
}

/** Milliseconds from the start of a command to its end. */
function run(folder: string, args: string[]): number {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('ASSISTANT_'));
  const env = {
    ...Object.fromEntries(inherited),
    ASSISTANT_PASSWORD: 'only for a moment',
    // No model that happens to run here: what it makes of a text is not what is measured.
    ASSISTANT_INGESTION_ENTRIES: 'sections',
    ASSISTANT_OLLAMA_URL: 'http://127.0.0.1:9',
  };
  const started = performance.now();
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], options);
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr.toString()}`);
  return performance.now() - started;
}
