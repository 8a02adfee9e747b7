import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '../../src/platform/errors.js';
import { describeMachine, printMachine, printMeasure, writeReport } from '../report.js';
import { runProgram } from '../run-program.js';
import { documentSets, sampleKinds } from './documents.js';
import { fetchDocuments } from './fetch-documents.js';
import { makeBook, measureJudged } from './judge-drafts.js';

const options = {
  documents: { type: 'string', multiple: true },
  fetch: { type: 'string' },
  set: { type: 'string', default: 'development' },
  kind: { type: 'string' },
  book: { type: 'string' },
  sample: { type: 'string' },
  seed: { type: 'string', default: '1' },
  anew: { type: 'boolean', default: false },
  json: { type: 'string' },
} as const;

async function evaluate(): Promise<void> {
  const { anew, book, documents, fetch, json, kind, sample, seed, set } = parseArgs({
    options,
  }).values;
  if (kind !== undefined) chosen('--kind', kind, sampleKinds);
  if (fetch !== undefined) {
    await fetchDocuments({ folder: resolve(fetch), set: chosen('--set', set, documentSets), kind });
    return;
  }
  const counted = sample === undefined ? undefined : readNumber('--sample', sample);
  const choice = { sample: counted, seed: readNumber('--seed', seed), anew, kind };
  if (book === undefined && (anew || counted !== undefined)) {
    throw new AppError('usage', '--sample and --anew need --book <file>.');
  }
  if (documents === undefined) {
    const sentence = 'Name the folders: --documents <folder>. --fetch <folder> fills one.';
    throw new AppError('usage', sentence);
  }
  if (book !== undefined) {
    await makeBook(documents, { path: book, ...choice });
    return;
  }
  const machine = describeMachine();
  printMachine(machine);
  const measures = await measureJudged(documents);
  measures.forEach(printMeasure);
  await writeReport(machine, measures, json);
}

function chosen<T extends string>(option: string, value: string, all: readonly T[]): T {
  const found = all.find((name) => name === value);
  if (found !== undefined) return found;
  const sentence = `${option}: there is no ${option.slice(2)} ${value}; use ${all.join(' or ')}.`;
  throw new AppError('usage', sentence);
}

function readNumber(option: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new AppError('usage', `${option}: "${value}" is no number.`);
  return Number(value);
}

const usage = {
  command: 'npm run eval:documents --',
  about: 'Measures how many of the drafts of real documents are fit to publish, by kind.',
  options: {
    '--documents <folder>': 'whose documents are read, repeatable',
    '--fetch <folder>': 'instead: fetch the documents of documents.json from Debian packages',
    '--set <name>': `with --fetch: ${documentSets.join(' or ')} (default: development)`,
    '--kind <name>': `only documents of this kind: ${sampleKinds.join(', ')}`,
    '--book <file>':
      'instead of figures: an HTML file with drafts beside their source, to judge them',
    '--sample <n>': 'so many drafts in the book, drawn by chance (default: all)',
    '--seed <n>': 'another seed draws other drafts (default: 1)',
    '--anew': 'only judged drafts whose text changed',
    '--json <file>': 'where the figures go',
  },
};

await runProgram(usage, evaluate);
