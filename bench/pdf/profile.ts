import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measure, Row } from '../measure.js';
import type { PdfFile } from '../pdf-folder.js';
import { readCpuProfile, type Frame } from './cpu-profile.js';
import { Reader } from './readers.js';

/** So often all files are read, so that starting and compiling count as little as they do in a server. */
const passes = 3;
const shown = 25;

/** Stages by the module that does the work, or for which Node does it; the first that fits counts. */
const stages: readonly (readonly [stage: string, module: RegExp])[] = [
  ['serialise', /^node:v8|internal\/(worker|per_context\/messageport)/],
  ['load code', /^node:internal\/(modules|bootstrap|main|vm)/],
  ['decompress', /\/reader\/syntax\/(filters|predictors|text-filters|security|rc4)\./],
  ['parse', /\/reader\/syntax\//],
  ['fonts', /\/reader\/fonts\//],
  ['read: content', /\/reader\/content\//],
  ['read: by pdf-parse', /\/reader\/second-reader|\/dist\/pdfjs\//],
  ['open', /\/pdf\/reader\//],
  ['layout', /\/pdf\/layout\//],
  ['languages', /\/pdf\/sections\/language|\/src\/language\//],
  ['assemble', /\/pdf\/sections\//],
  ['messages', /\/pdf\/threads\//],
];

const special = new Map([
  ['(idle)', 'waiting'],
  ['(garbage collector)', 'collect garbage'],
  ['(program)', 'outside of JavaScript'],
]);

/** The stage of the innermost module that has one: sorting inside the layout is layout. */
function stageOf({ name, url, callers }: Frame): string {
  const own = special.get(name);
  if (own !== undefined) return own;
  for (const module of [url, ...callers.toReversed()]) {
    const found = stages.find(([, pattern]) => pattern.test(module));
    if (found !== undefined) return found[0];
  }
  return 'other';
}

/** The innermost of our modules, which does the work or has it done. */
function moduleOf({ url, callers }: Frame): string {
  const module = [url, ...callers.toReversed()].find((each) => each.includes('/dist/src/'));
  return module?.replace(/^.*\/dist\/src\//, '') ?? 'none of ours';
}

function sumBy(frames: readonly Frame[], keyOf: (frame: Frame) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const frame of frames) {
    const key = keyOf(frame);
    sums.set(key, (sums.get(key) ?? 0) + frame.seconds);
  }
  return sums;
}

function placeOf({ name, url, line }: Frame): string {
  const short = url.replace(/^.*\/(dist\/src|node_modules)\//, '');
  return short === '' ? name : `${name === '' ? '(anonymous)' : name}  ${short}:${line}`;
}

interface Profiled {
  pages: number;
  main: Frame[];
  threads: Frame[];
}

async function record(files: readonly PdfFile[]): Promise<Profiled> {
  const folder = await mkdtemp(join(tmpdir(), 'eval-pdf-'));
  try {
    const options = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'];
    const reader = new Reader('ours', options, 'modules');
    let pages = 0;
    for (let pass = 0; pass < passes; pass++) {
      for (const { path } of files) pages += (await reader.read(path, true)).pageCount;
    }
    await reader.close();
    const profiled: Profiled = { pages, main: [], threads: [] };
    for (const name of await readdir(folder)) {
      // CPU.<day>.<time>.<process>.<thread>.<number>.cpuprofile; the main thread is 0.
      const frames = readCpuProfile(await readFile(join(folder, name), 'utf8'));
      profiled[name.split('.')[4] === '0' ? 'main' : 'threads'].push(...frames);
    }
    return profiled;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function perPage(seconds: number, pages: number): string {
  return ((1000 * seconds) / pages).toFixed(3);
}

function share(seconds: number, all: number): string {
  return `${((100 * seconds) / all).toFixed(1)} %`;
}

/** Where the time goes while files are read, by stage and by function, as Node's own profiler samples it in each thread. */
export async function measureProfile(files: readonly PdfFile[]): Promise<Measure[]> {
  const { pages, main, threads } = await record(files);
  const inThreads = sumBy(threads, stageOf);
  const inMain = sumBy(main, stageOf);
  const waiting = inThreads.get('waiting') ?? 0;
  const busy = [...inThreads.values()].reduce((sum, each) => sum + each, 0) - waiting;
  const names = [...new Set([...inThreads.keys(), ...inMain.keys()])];
  names.sort((a, b) => (inThreads.get(b) ?? 0) - (inThreads.get(a) ?? 0));
  const rows = names.map((stage): Row => {
    const seconds = inThreads.get(stage) ?? 0;
    return {
      stage,
      'ms per page': perPage(seconds, pages),
      'of the work': stage === 'waiting' ? '' : share(seconds, busy),
      'main thread, ms per page': stage === 'waiting' ? '' : perPage(inMain.get(stage) ?? 0, pages),
    };
  });
  const working = threads.filter((frame) => stageOf(frame) !== 'waiting');
  const about = `of both threads together, over ${passes} passes (${pages} pages)`;
  const rank = (title: string, keyOf: (frame: Frame) => string): Row[] =>
    [...sumBy(working, keyOf)]
      .sort((a, b) => b[1] - a[1])
      .slice(0, shown)
      .map(([key, seconds]) => ({
        [title]: key,
        'ms per page': perPage(seconds, pages),
        'of the work': share(seconds, busy),
      }));
  return [
    { name: 'profile', about: `where the time goes, ${about}`, rows },
    {
      name: 'modules',
      about: `with what they call outside of the product, ${about}`,
      rows: rank('module', moduleOf),
    },
    {
      name: 'hottest functions',
      about: `time of their own, ${about}`,
      rows: rank('function', placeOf),
    },
  ];
}
