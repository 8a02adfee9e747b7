import { parseArgs } from 'node:util';
import { messageOf } from '../../src/platform/errors.js';
import type { Measure } from '../measure.js';
import {
  chooseFrom,
  describeMachine,
  pdfFoldersOf,
  printMachine,
  printMeasure,
  writeReport,
} from '../report.js';
import { measureQuality } from './quality.js';
import { readFiles } from './read-files.js';

interface Settings {
  chosen: ('quality' | 'speed')[];
  json: string | undefined;
  pdfFolders: string[];
}

try {
  await evaluate(readArguments());
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

async function evaluate({ chosen, json, pdfFolders }: Settings): Promise<void> {
  const machine = describeMachine();
  printMachine(machine);
  const results: Measure[] = [];
  const tell = (measures: readonly Measure[]) => {
    measures.forEach(printMeasure);
    results.push(...measures);
  };
  if (chosen.includes('quality')) {
    const files = await readFiles(pdfFolders);
    tell(await measureQuality(files));
  }
  await writeReport(machine, results, json);
}

function readArguments(): Settings {
  const { values } = parseArgs({
    options: {
      pdfs: { type: 'string', multiple: true },
      only: { type: 'string', multiple: true },
      json: { type: 'string' },
    },
  });
  return {
    chosen: chooseFrom(['quality', 'speed'], values.only),
    json: values.json,
    pdfFolders: pdfFoldersOf(values.pdfs),
  };
}
