import { setPriority } from 'node:os';
import { median, round, type Measure, type Row } from '../measure.js';
import type { PdfFile } from '../pdf-folder.js';
import { hasPdftotext, Reader, readByPdftotext } from './readers.js';

/** Niceness of the product's PDF threads. */
const background = 10;
const rounds = { cold: 3, warm: 5 };

type Contender = 'ours' | 'plain' | 'pdftotext';
type Mood = keyof typeof rounds;

/** Seconds by the clock, and of processor time where that is known. */
interface Took {
  seconds: number;
  cpuSeconds: number | undefined;
}

/** Reads one file once; undefined where the reader failed. */
type Race = (contender: Contender, path: string) => Promise<Took | undefined>;

interface Timed {
  name: string;
  pages: number;
  /** One for each round. */
  took: Partial<Record<Contender, Took[]>>;
}

async function timePdftotext(path: string): Promise<Took | undefined> {
  const started = performance.now();
  const text = await readByPdftotext(path, [], '/dev/null');
  const seconds = (performance.now() - started) / 1000;
  return text === undefined ? undefined : { seconds, cpuSeconds: undefined };
}

/** A fresh process for each file, from its start to its end: what the user of a command waits for. */
const raceCold: Race = async (contender, path) => {
  if (contender === 'pdftotext') return timePdftotext(path);
  const started = performance.now();
  const reader = new Reader(contender);
  const { outcome } = await reader.read(path, true);
  await reader.close();
  const seconds = (performance.now() - started) / 1000;
  return outcome === 'ok' ? { seconds, cpuSeconds: undefined } : undefined;
};

/** One process that has read before, as a server has. pdftotext starts anew each time: it can't do otherwise. */
function raceWarm(readers: Record<Exclude<Contender, 'pdftotext'>, Reader>): Race {
  return async (contender, path) => {
    if (contender === 'pdftotext') return timePdftotext(path);
    const reply = await readers[contender].read(path, true);
    return reply.outcome === 'ok' ? reply : undefined;
  };
}

async function timeFile(
  race: Race,
  file: PdfFile,
  pages: number,
  contenders: readonly Contender[],
  times: number,
): Promise<Timed> {
  const timed: Timed = { name: file.name, pages, took: {} };
  for (let turn = 0; turn < times; turn++) {
    // Each comes first in turn: what a neighbour leaves in caches favours none of them.
    for (let place = 0; place < contenders.length; place++) {
      const contender = contenders[(turn + place) % contenders.length] ?? 'ours';
      const took = await race(contender, file.path);
      if (took !== undefined) (timed.took[contender] ??= []).push(took);
    }
  }
  return timed;
}

type Times = Partial<Record<Contender, Took>>;

function rowOf(name: string, pages: number, { ours, plain, pdftotext }: Times): Row {
  const row: Row = { file: name, pages };
  const put = (title: string, figure: number | undefined) => {
    if (figure !== undefined && Number.isFinite(figure)) row[title] = figure;
  };
  const speed = (took: Took | undefined) => took && Math.round(pages / took.seconds);
  put('ours/s', speed(ours));
  put('plain/s', speed(plain));
  put('pdftotext/s', speed(pdftotext));
  put('ours : plain', ours && plain && round(plain.seconds / ours.seconds));
  put('ours : pdftotext', ours && pdftotext && round(pdftotext.seconds / ours.seconds));
  const cpu = (took: Took | undefined) =>
    took?.cpuSeconds && round((1000 * took.cpuSeconds) / pages);
  put('ours CPU ms/page', cpu(ours));
  put('plain CPU ms/page', cpu(plain));
  return row;
}

function medianOf(each: readonly Took[]): Took {
  const cpu = each.flatMap(({ cpuSeconds }) => cpuSeconds ?? []);
  return {
    seconds: median(each.map(({ seconds }) => seconds)),
    cpuSeconds: cpu.length === 0 ? undefined : median(cpu),
  };
}

function sumOf(all: readonly Took[]): Took {
  const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);
  const cpu = all.flatMap(({ cpuSeconds }) => cpuSeconds ?? []);
  return {
    seconds: sum(all.map(({ seconds }) => seconds)),
    cpuSeconds: cpu.length === 0 ? undefined : sum(cpu),
  };
}

function rowsOf(timed: readonly Timed[], contenders: readonly Contender[]): Row[] {
  const medians = timed.map(({ name, pages, took }) => {
    const times: Times = {};
    for (const contender of contenders) {
      const each = took[contender];
      if (each !== undefined) times[contender] = medianOf(each);
    }
    return { name, pages, times };
  });
  // A sum is fair only over files that every reader reads.
  const common = medians.filter(({ times }) => Object.keys(times).length === contenders.length);
  const sums: Times = {};
  for (const contender of contenders) {
    sums[contender] = sumOf(common.flatMap(({ times }) => times[contender] ?? []));
  }
  const pages = common.reduce((sum, each) => sum + each.pages, 0);
  return [
    ...medians.map((each) => rowOf(each.name, each.pages, each.times)),
    rowOf(`all ${common.length} together`, pages, sums),
  ];
}

/**
 * Pages per second of ours (text, layout and sections, two threads), plain pdf-parse (text, one thread) and
 * pdftotext, one after the other for each file, in cold processes and in warm ones.
 */
export async function measureSpeed(files: readonly PdfFile[]): Promise<Measure[]> {
  // Our threads step back for the machine's other work. Here all readers do, else that work would decide the race.
  setPriority(background);
  const others = await hasPdftotext();
  const contenders: Contender[] = others ? ['ours', 'plain', 'pdftotext'] : ['ours', 'plain'];
  const readers = { ours: new Reader('ours'), plain: new Reader('plain') };
  const warm = raceWarm(readers);
  const readable: { file: PdfFile; pages: number }[] = [];
  const timed: Record<Mood, Timed[]> = { cold: [], warm: [] };
  try {
    // Warms both up, and tells which files can be read at all.
    for (const file of files) {
      const { outcome, pageCount } = await readers.ours.read(file.path, true);
      if (outcome === 'ok') readable.push({ file, pages: pageCount });
      await readers.plain.read(file.path, true);
    }
    for (const { file, pages } of readable) {
      timed.warm.push(await timeFile(warm, file, pages, contenders, rounds.warm));
    }
    for (const { file, pages } of readable) {
      timed.cold.push(await timeFile(raceCold, file, pages, contenders, rounds.cold));
    }
  } finally {
    await Promise.all([readers.ours.close(), readers.plain.close()]);
  }
  const beside = others ? 'pdftotext a process each' : 'pdftotext is not installed here';
  return [
    {
      name: 'speed, warm',
      about: `pages/s in processes that have read before, medians of ${rounds.warm} rounds; ${beside}; target of ours : plain is 1.6`,
      rows: rowsOf(timed.warm, contenders),
    },
    {
      name: 'speed, cold',
      about: `pages/s with a fresh process for each file, its start and end included, medians of ${rounds.cold} rounds`,
      rows: rowsOf(timed.cold, contenders),
    },
  ];
}
