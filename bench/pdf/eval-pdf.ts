import { parseArgs } from 'node:util';
import { AppError } from '../../src/platform/errors.js';
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
import { makeBook, measureJudged, type BookChoice } from './judge-drafts.js';

const names = ['quality', 'speed', 'profile', 'ocr'] as const;
/** Recognition takes minutes. */
const usual = ['quality', 'speed', 'profile'];

interface Settings {
  chosen: (typeof names)[number][];
  json: string | undefined;
  verbose: boolean;
  pdfFolders: string[];
  /** The book is made instead of the measures. */
  book: BookChoice | undefined;
}

async function evaluate({ book, chosen, json, pdfFolders, verbose }: Settings): Promise<void> {
  if (book !== undefined) {
    await makeBook(pdfFolders, book);
    return;
  }
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
    const judged = await measureJudged(files);
    tell([outcomes, ...quality.measures, ...structure.measures, ...judged]);
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
      book: { type: 'string' },
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      anew: { type: 'boolean', default: false },
    },
  });
  return {
    chosen: chooseFrom(names, values.only ?? usual),
    json: values.json,
    verbose: values.verbose,
    pdfFolders: pdfFoldersOf(values.pdfs),
    book: readBookChoice(values),
  };
}

interface BookValues {
  book?: string | undefined;
  sample?: string | undefined;
  seed: string;
  anew: boolean;
}

function readBookChoice({ anew, book, sample, seed }: BookValues): BookChoice | undefined {
  if (book === undefined) {
    if (anew || sample !== undefined) {
      throw new AppError('usage', '--sample and --anew need --book <file>.');
    }
    return undefined;
  }
  const count = sample === undefined ? undefined : readNumber('--sample', sample);
  return { path: book, sample: count, seed: readNumber('--seed', seed), anew };
}

function readNumber(option: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new AppError('usage', `${option}: "${value}" is no number.`);
  return Number(value);
}

const usage = {
  command: 'npm run eval:pdf --',
  about: 'Measures how well PDFs are read, and where the time goes.',
  options: {
    '--pdfs <folder>': 'whose PDFs are read, repeatable (default: those of the repository)',
    '--only <name>': `${names.join(', ')}; repeatable (default: ${usual.join(', ')})`,
    '--json <file>': 'where the figures go',
    '--verbose': 'examples of what was read wrongly',
    '--book <file>':
      'instead of measures: an HTML file with drafts beside their pages, to judge them',
    '--sample <n>': 'so many drafts in the book, drawn by chance (default: all)',
    '--seed <n>': 'another seed draws other drafts (default: 1)',
    '--anew': 'only judged drafts whose text changed',
  },
};

await runProgram(usage, () => evaluate(readArguments()));
