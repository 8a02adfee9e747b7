import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { AppError } from '../../src/platform/errors.js';
import { chooseFrom, describeMachine, printMachine, printMeasure, writeReport } from '../report.js';
import { runProgram } from '../run-program.js';
import { measureManuals } from './manuals.js';
import { measureQuality, measureRefusals, type Judged } from './quality.js';
import { readSamples } from './samples.js';
import { measureSearchSpeed } from './speed.js';
import { measureVectorQuality } from './vector-quality.js';
import { dataFolder, languages, readSets, type QuestionSet } from './question-sets.js';

const names = ['quality', 'refusals', 'speed', 'vectors', 'manuals'] as const;
/** Manuals are downloaded. */
const usual = ['quality', 'refusals', 'speed', 'vectors'];

interface Settings {
  chosen: (typeof names)[number][];
  folder: string;
  sets: QuestionSet[];
  /** Per language, the text after which others are invented. */
  samples: Map<string, string>;
  /** Passages of the large index. */
  size: number;
  /** A folder that keeps it between runs. */
  keep: string | undefined;
  /** Each how manieth question is put: 1 for all. */
  every: number;
  json: string | undefined;
  details: string | undefined;
}

async function evaluate(settings: Settings): Promise<void> {
  const { chosen, folder, sets, samples, every, size, keep, json, details } = settings;
  const machine = describeMachine();
  printMachine(machine);
  const all: Judged[] = [];
  const tell = (judged: Judged) => {
    judged.measures.forEach(printMeasure);
    all.push(judged);
  };
  if (chosen.includes('quality')) tell(await measureQuality(sets, every));
  if (chosen.includes('refusals')) tell(await measureRefusals(sets, every));
  if (chosen.includes('speed'))
    tell(await measureSearchSpeed(sets, samples, { size, every, keep }));
  if (chosen.includes('vectors')) tell(await measureVectorQuality(folder, every, keep));
  if (chosen.includes('manuals')) tell(await measureManuals());
  const missed = all.flatMap((judged) => judged.missed);
  if (missed.length > 0) process.exitCode = 1;
  console.log(missed.length === 0 ? '\nEvery bar is met.' : `\nMissed:\n  ${missed.join('\n  ')}`);
  if (details !== undefined) {
    const lines = all.flatMap((judged) => judged.details).map((line) => JSON.stringify(line));
    await writeFile(details, `${lines.join('\n')}\n`);
  }
  await writeReport(
    machine,
    all.flatMap((judged) => judged.measures),
    json,
  );
}

function readArguments(): Settings {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      set: { type: 'string', default: 'xquad' },
      langs: { type: 'string', default: languages.join(',') },
      only: { type: 'string', multiple: true },
      every: { type: 'string', default: '1' },
      size: { type: 'string', default: '100000' },
      keep: { type: 'string' },
      json: { type: 'string' },
      details: { type: 'string' },
    },
  });
  const chosen = chooseFrom(
    names,
    (values.only ?? usual).flatMap((text) => text.split(',')),
  );
  const wanted = values.langs.split(',').map((text) => text.trim());
  const spoken = languages.filter((language) => wanted.includes(language));
  const unknown = wanted.find((text) => !languages.some((language) => language === text));
  if (unknown !== undefined) {
    throw new AppError(
      'usage',
      `--langs: there is no set in ${unknown}; there are ${languages.join(', ')}.`,
    );
  }
  const needsSets = chosen.some((name) => name !== 'manuals');
  const folder = needsSets ? dataFolder(values.data) : '';
  const sets = needsSets ? readSets(folder, values.set, spoken) : [];
  return {
    chosen,
    folder,
    sets,
    samples: readSamples(folder, sets),
    every: numberFrom('--every', values.every),
    size: numberFrom('--size', values.size),
    keep: values.keep,
    json: values.json,
    details: values.details,
  };
}

function numberFrom(option: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new AppError(
    'usage',
    `${option}: expected a whole number from 1, not ${JSON.stringify(text)}.`,
  );
}

const usage = {
  command: 'npm run eval:retrieval --',
  about:
    'Measures how well and how fast questions are found and answered. A bar that is missed ends with 1.',
  options: {
    '--data <folder>': 'where the sets are (default: ../shared/data beside the package)',
    '--set <name>': 'which set to take (default: xquad)',
    '--langs <list>': `languages, with commas between them (default: ${languages.join(',')})`,
    '--only <name>': `${names.join(', ')}; repeatable, or with commas between them (default: ${usual.join(', ')})`,
    '--every <n>': 'put each n-th question alone (default: 1, all of them)',
    '--size <n>': 'passages of the large index (default: 100000)',
    '--keep <folder>': 'keep the large index and the model’s vectors there for the next run',
    '--json <file>': 'where the figures go',
    '--details <file>': 'a JSON line for each question',
  },
};

await runProgram(usage, () => evaluate(readArguments()));
