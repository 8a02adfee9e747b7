import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../src/platform/cli/table.js';
import { messageOf } from '../src/platform/errors.js';
import { packageRoot } from '../src/platform/package-root.js';
import { measureEventLoop } from './event-loop.js';
import { measureExtraction } from './extraction.js';
import type { BenchOptions, Measure } from './measure.js';
import { measureMemory } from './memory.js';
import { measurePageQuery } from './page-query.js';
import { measureRequests } from './requests.js';

const measures = new Map<string, (options: BenchOptions) => Promise<Measure>>([
  ['event-loop', measureEventLoop],
  ['memory', measureMemory],
  ['requests', measureRequests],
  ['page-query', measurePageQuery],
  ['extraction', measureExtraction],
]);

interface Settings extends BenchOptions {
  chosen: string[];
  json: string | undefined;
}

try {
  await runBench(readArguments());
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

async function runBench({ chosen, json, pdfFolders }: Settings): Promise<void> {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory: `${gigabytes} GB`,
    node: process.versions.node,
    platform: process.platform,
    // Of other work: a machine that is busy when it starts measures that work too.
    load: Number(loadavg()[0]?.toFixed(2)),
  };
  console.log(
    `${machine.cores} × ${machine.cpu}, ${machine.memory}, Node ${machine.node} on ${machine.platform}, load ${machine.load} at the start`,
  );
  const results: Measure[] = [];
  for (const name of chosen) {
    const result = await measures.get(name)?.({ pdfFolders });
    if (result === undefined) continue;
    results.push(result);
    console.log(`\n${result.name}: ${result.about}\n${print(result)}`);
  }
  const date = new Date().toISOString();
  const file = json ?? join(packageRoot(), 'bench', 'results', `${date.replaceAll(':', '-')}.json`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ date, machine, measures: results }, null, 2)}\n`);
  console.log(`\nWritten to ${file}`);
}

/** Everything is checked before the first measure: a typo must not cost the minutes of those before it. */
function readArguments(): Settings {
  const { values } = parseArgs({
    options: {
      pdfs: { type: 'string', multiple: true },
      only: { type: 'string', multiple: true },
      json: { type: 'string' },
    },
  });
  const root = packageRoot();
  const pdfFolders = values.pdfs ?? [
    join(root, 'docs', 'manual'),
    join(root, 'test', 'fixtures', 'pdf'),
  ];
  for (const folder of pdfFolders) {
    if (!existsSync(folder)) throw new Error(`--pdfs: there is no folder ${folder}.`);
  }
  const chosen = values.only ?? [...measures.keys()];
  for (const name of chosen) {
    if (measures.has(name)) continue;
    throw new Error(
      `--only: there is no measure ${name}; there are ${[...measures.keys()].join(', ')}.`,
    );
  }
  // In the order of the table, whatever the order of the options: a measure says why it is last.
  const ordered = [...measures.keys()].filter((name) => chosen.includes(name));
  return { chosen: ordered, json: values.json, pdfFolders };
}

function print({ rows }: Measure): string {
  const titles = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = titles.map((title) => ({
    title,
    value: (row: Measure['rows'][number]) => String(row[title] ?? ''),
  }));
  return table(columns, rows, 200);
}
