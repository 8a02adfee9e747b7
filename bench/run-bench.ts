import { parseArgs } from 'node:util';
import { AppError } from '../src/platform/errors.js';
import { measureBackoffice } from './backoffice.js';
import { measureBehindSlow } from './behind-slow.js';
import { measureDeletes } from './deletes.js';
import { measureEventLoop } from './event-loop.js';
import { measureExtraction } from './extraction.js';
import { measureFlood } from './flood.js';
import type { BenchOptions, Measure } from './measure.js';
import { measureIngestion } from './ingestion.js';
import { measureMemory } from './memory.js';
import { measureMessages } from './messages.js';
import { measureMillion } from './million.js';
import { measurePageQuery } from './page-query.js';
import {
  chooseFrom,
  describeMachine,
  pdfFoldersOf,
  printMachine,
  printMeasure,
  writeReport,
} from './report.js';
import { measureRequests } from './requests.js';
import { runProgram } from './run-program.js';
import { measureScale } from './scale.js';
import { measureSite } from './site.js';
import { measureStartup } from './startup.js';
import { measureStreaming } from './streaming.js';
import { measureWidget } from './widget.js';

const measures = new Map<string, (options: BenchOptions) => Promise<Measure | Measure[]>>([
  ['startup', measureStartup],
  ['event-loop', measureEventLoop],
  ['memory', measureMemory],
  ['requests', measureRequests],
  ['messages', measureMessages],
  ['page-query', measurePageQuery],
  ['flood', measureFlood],
  ['deletes', measureDeletes],
  ['streaming', measureStreaming],
  ['ingestion', measureIngestion],
  ['behind-slow', measureBehindSlow],
  ['widget', measureWidget],
  ['backoffice', measureBackoffice],
  ['site', measureSite],
  ['extraction', measureExtraction],
  ['scale', async (options) => [await measureScale(options), await measureMillion(options)]],
]);

interface Settings extends BenchOptions {
  chosen: string[];
  json: string | undefined;
}

const usage = {
  command: 'npm run bench --',
  about:
    'Measures the server for about a minute, prints tables and writes bench/results/<date>.json.',
  options: {
    '--pdfs <folder>': 'whose PDFs are read, repeatable (default: those of the repository)',
    '--only <name>': `${[...measures.keys()].join(', ')}; repeatable`,
    '--share <number>': 'part of the data that backoffice and scale make, up to 1 (default: 1)',
    '--json <file>': 'where the figures go',
  },
};

await runProgram(usage, () => runBench(readArguments()));

async function runBench({ chosen, json, ...options }: Settings): Promise<void> {
  const machine = describeMachine();
  printMachine(machine);
  const results: Measure[] = [];
  for (const name of chosen) {
    const result = (await measures.get(name)?.(options)) ?? [];
    for (const measure of [result].flat()) {
      results.push(measure);
      printMeasure(measure);
    }
  }
  await writeReport(machine, results, json);
}

/** Everything is checked before the first measure: a typo must not cost the minutes of those before it. */
function readArguments(): Settings {
  const { values } = parseArgs({
    options: {
      pdfs: { type: 'string', multiple: true },
      only: { type: 'string', multiple: true },
      json: { type: 'string' },
      share: { type: 'string', default: '1' },
    },
  });
  const share = Number(values.share);
  if (!(share > 0 && share <= 1)) {
    throw new AppError('usage', `--share is ${values.share}: write more than 0 and at most 1.`);
  }
  return {
    // In the order of the table, whatever the order of the options: a measure says why it is last.
    chosen: chooseFrom([...measures.keys()], values.only),
    json: values.json,
    pdfFolders: pdfFoldersOf(values.pdfs),
    share,
  };
}
