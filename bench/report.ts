import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { table } from '../src/platform/cli/table.js';
import { AppError } from '../src/platform/errors.js';
import { closestWord } from '../src/platform/text/closest-word.js';
import { packageRoot } from '../src/platform/package-root.js';
import type { Measure } from './measure.js';

/** Where figures come from: those of two machines compare by their ratios alone. */
export interface Machine {
  cpu: string;
  cores: number;
  memory: string;
  node: string;
  platform: string;
  /** Of other work: a machine that is busy when it starts measures that work too. */
  load: number;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    node: process.versions.node,
    platform: process.platform,
    load: Number(loadavg()[0]?.toFixed(2)),
  };
}

export function printMachine({ cores, cpu, memory, node, platform, load }: Machine): void {
  console.log(
    `${cores} × ${cpu}, ${memory}, Node ${node} on ${platform}, load ${load} at the start`,
  );
}

export function printMeasure({ name, about, rows }: Measure): void {
  const titles = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = titles.map((title) => ({
    title,
    value: (row: Measure['rows'][number]) => String(row[title] ?? ''),
  }));
  console.log(`\n${name}: ${about}\n${table(columns, rows, 200)}`);
}

/** Writes the figures where `json` says, else under their date into bench/results, and tells where. */
export async function writeReport(
  machine: Machine,
  measures: readonly Measure[],
  json: string | undefined,
): Promise<void> {
  const date = new Date().toISOString();
  const file = json ?? join(packageRoot(), 'bench', 'results', `${date.replaceAll(':', '-')}.json`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ date, machine, measures }, null, 2)}\n`);
  console.log(`\nWritten to ${file}`);
}

/** The folders to read, by default those of the repository. Throws, naming the option, where one is missing. */
export function pdfFoldersOf(given: readonly string[] | undefined): string[] {
  const root = packageRoot();
  const folders = given ?? [join(root, 'docs', 'manual'), join(root, 'test', 'fixtures', 'pdf')];
  for (const folder of folders) {
    if (!existsSync(folder)) throw new Error(`--pdfs: there is no folder ${folder}.`);
  }
  return [...folders];
}

/** The names chosen, each one of `all`, in the order of `all`. Throws, naming the option, where one is unknown. */
export function chooseFrom<T extends string>(
  all: readonly T[],
  given: readonly string[] | undefined,
): T[] {
  for (const name of given ?? []) {
    if (all.some((each) => each === name)) continue;
    const meant = closestWord(name, all);
    const suggestion = meant === undefined ? '' : ` Did you mean ${meant}?`;
    const sentence = `--only: there is no measure ${name}; there are ${all.join(', ')}.${suggestion}`;
    throw new AppError('usage', sentence);
  }
  return all.filter((name) => given === undefined || given.includes(name));
}
