import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../src/platform/cli/table.js';
import { packageRoot } from '../src/platform/package-root.js';
import { measureEventLoop } from './event-loop.js';
import { measureExtraction } from './extraction.js';
import type { BenchOptions, Measure } from './measure.js';
import { measureMemory } from './memory.js';
import { measureRequests } from './requests.js';

const measures: Record<string, (options: BenchOptions) => Promise<Measure>> = {
  extraction: measureExtraction,
  'event-loop': measureEventLoop,
  memory: measureMemory,
  requests: measureRequests,
};

const { values } = parseArgs({
  options: {
    pdfs: { type: 'string', multiple: true },
    only: { type: 'string', multiple: true },
    json: { type: 'string' },
  },
});

const root = packageRoot();
const options: BenchOptions = {
  pdfFolders: values.pdfs ?? [join(root, 'docs', 'manual'), join(root, 'test', 'fixtures', 'pdf')],
};
const chosen = values.only ?? Object.keys(measures);
const results: Measure[] = [];
const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.versions.node}`;
console.log(machine);
for (const name of chosen) {
  const measure = measures[name];
  if (measure === undefined) {
    console.error(`There is no measure ${name}; there are ${Object.keys(measures).join(', ')}.`);
    process.exit(2);
  }
  const result = await measure(options);
  results.push(result);
  console.log(`\n${result.name}: ${result.about}\n${print(result)}`);
}
const date = new Date().toISOString();
const file = values.json ?? join(root, 'bench', 'results', `${date.replaceAll(':', '-')}.json`);
await mkdir(dirname(file), { recursive: true });
await writeFile(file, `${JSON.stringify({ date, machine, measures: results }, null, 2)}\n`);
console.log(`\nWritten to ${file}`);

function print({ rows }: Measure): string {
  const titles = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = titles.map((title) => ({
    title,
    value: (row: Measure['rows'][number]) => String(row[title] ?? ''),
  }));
  return table(columns, rows, 200);
}
