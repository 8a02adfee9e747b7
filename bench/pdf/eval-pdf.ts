import { parseArgs } from 'node:util';
import type { Examples, Measure } from '../measure.js';
import {
  chooseFrom,
  describeMachine,
  pdfFoldersOf,
  printMachine,
  printMeasure,
  writeReport,
} from '../report.js';
import { measureQuality } from './quality.js';
import { measureOutcomes, measureStructure, unexpected } from './structure.js';
import { runProgram } from '../run-program.js';
import { listPdfs } from '../pdf-folder.js';
import { measureOcr } from './ocr.js';
import { measureProfile } from './profile.js';
import { measureSpeed } from './speed.js';
import { readFiles } from './read-files.js';

const names = ['quality', 'speed', 'profile', 'ocr'] as const;
/** Recognition takes minutes. */
const usual = ['quality', 'speed', 'profile'];

interface Settings {
  chosen: (typeof names)[number][];
  json: string | undefined;
  verbose: boolean;
  pdfFolders: string[];
}

async function evaluate({ chosen, json, pdfFolders, verbose }: Settings): Promise<void> {
  const machine = describeMachine();
  printMachine(machine);
  const results: Measure[] = [];
  const tell = (measures: readonly Measure[]) => {
    measures.forEach(printMeasure);
    results.push(...measures);
  };
  if (chosen.includes('quality')) {
    const files = await readFiles(pdfFolders);
    const quality = await measureQuality(files);
    const structure = measureStructure(files);
    const outcomes = measureOutcomes(files);
    // So that a script notices, too.
    if (outcomes.rows.some((row) => row.verdict === unexpected)) process.exitCode = 1;
    tell([outcomes, ...quality.measures, ...structure.measures]);
    if (verbose) [...quality.examples, ...structure.examples].forEach(printExamples);
  }
  if (chosen.includes('speed')) tell(await measureSpeed(await listPdfs(pdfFolders)));
  if (chosen.includes('profile')) tell(await measureProfile(await listPdfs(pdfFolders)));
  if (chosen.includes('ocr')) tell([await measureOcr()]);
  await writeReport(machine, results, json);
}

/** Enough to see what kind of thing it is. */
const shown = 12;

function printExamples({ file, kind, examples }: Examples): void {
  console.log(`\n${file}: ${kind} (${examples.length})`);
  for (const example of examples.slice(0, shown)) console.log(`  ${example}`);
}

function readArguments(): Settings {
  const { values } = parseArgs({
    options: {
      pdfs: { type: 'string', multiple: true },
      only: { type: 'string', multiple: true },
      json: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  return {
    chosen: chooseFrom(names, values.only ?? usual),
    json: values.json,
    verbose: values.verbose,
    pdfFolders: pdfFoldersOf(values.pdfs),
  };
}

const usage = {
  command: 'npm run eval:pdf --',
  about: 'Measures how well PDFs are read, and where the time goes.',
  options: {
    '--pdfs <folder>': 'whose PDFs are read, repeatable (default: those of the repository)',
    '--only <name>': `${names.join(', ')}; repeatable (default: ${usual.join(', ')})`,
    '--json <file>': 'where the figures go',
    '--verbose': 'examples of what was read wrongly',
  },
};

await runProgram(usage, () => evaluate(readArguments()));
