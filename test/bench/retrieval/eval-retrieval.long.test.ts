import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../../src/platform/package-root.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

interface Measured {
  measures: { name: string; about: string; rows: Record<string, string | number>[] }[];
}

const passages = [
  {
    id: 'Pumps#0',
    title: 'Pumps',
    text: 'The pump of the cellar is oiled every second month. Its motor was built in Genoa.',
  },
  {
    id: 'Valves#0',
    title: 'Valves',
    text: 'A valve closes when the pressure of the steam falls below four bar. It is made of brass.',
  },
];
const questions = [
  {
    id: '1',
    question: 'How often is the pump of the cellar oiled?',
    answers: ['every second month'],
    passage_id: 'Pumps#0',
  },
  {
    id: '2',
    question: 'When does a valve close?',
    answers: ['when the pressure of the steam falls below four bar'],
    passage_id: 'Valves#0',
  },
];

describe('npm run eval:retrieval', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  const at = (name: string) => join(folder.path, name);
  const lines = (all: unknown[]) => `${all.map((one) => JSON.stringify(one)).join('\n')}\n`;

  before(async () => {
    folder = await makeTemporaryFolder();
    await writeFile(at('tiny.en.passages.jsonl'), lines(passages));
    await writeFile(at('tiny.en.questions.jsonl'), lines(questions));
    await writeFile(at('lost.en.passages.jsonl'), lines(passages));
    const lost = questions.map((question) => ({ ...question, answers: ['never'] }));
    await writeFile(at('lost.en.questions.jsonl'), lines(lost));
  });
  after(() => folder.remove());

  const run = async (...args: string[]) => {
    const program = join(packageRoot(), 'dist', 'bench', 'retrieval', 'eval-retrieval.js');
    const base = ['--data', folder.path, '--langs', 'en', '--json', at('report.json')];
    const child = spawn(process.execPath, [program, ...base, ...args]);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const code = await new Promise((resolve) => child.once('close', resolve));
    return { code, output };
  };
  const rows = async (name: string) => {
    const report = JSON.parse(await readFile(at('report.json'), 'utf8')) as Measured;
    return report.measures.find((measure) => measure.name === name)?.rows ?? [];
  };

  it('measures found, answered and refused questions, and exits with 0 if every bar is met', async () => {
    const { code, output } = await run('--set', 'tiny', '--only', 'quality,refusals');
    assert.equal(code, 0, output);
    assert.match(output, /Every bar is met/);
    const [quality] = await rows('quality');
    assert.deepEqual([quality?.['recall@1'], quality?.['answered']], ['1.0000', '1.0000']);
    const [refusals] = await rows('refusals');
    assert.deepEqual(
      [refusals?.['asked of'], refusals?.['refused']],
      ['another article', '1.0000'],
    );
  });

  it('exits with 1 for a missed bar, names it, and writes the outcome of each question', async () => {
    const details = at('details.jsonl');
    const { code, output } = await run('--set', 'lost', '--only', 'quality', '--details', details);
    assert.equal(code, 1);
    assert.match(output, /en: answered 0\.0000, wanted 0\.8/);
    const [first = ''] = (await readFile(details, 'utf8')).split('\n');
    assert.match(first, /"rank":1/);
    assert.match(first, /every second month/);
  });

  it('measures searches among invented passages, and keeps the index for the next run', async () => {
    const keep = at('kept');
    const args = ['--set', 'tiny', '--only', 'speed', '--size', '60', '--keep', keep];
    const first = await run(...args);
    assert.match(first.output, /built in \d+ s/);
    assert.match(first.output, /raw FTS5 query/);
    assert.equal((await readdir(keep)).filter((name) => name.endsWith('.sqlite')).length, 1);
    const second = await run(...args);
    assert.match(second.output, /\(kept\)/);
    const measured = await rows('speed');
    assert.deepEqual(
      measured.map(({ what }) => what),
      [
        ...['search', 'raw FTS5 query'],
        ...['the search again, those of the sample', 'every passage scored, sample'],
      ],
    );
    assert.ok(Number(measured[0]?.['of raw']) > 0);
  });

  it('names a missing file, a missing folder and an invalid number', async () => {
    assert.match(
      (await run('--set', 'none')).output,
      /There is no file .*none\.en\.passages\.jsonl/,
    );
    const { code, output } = await run('--data', at('nowhere'));
    assert.equal(code, 1);
    assert.match(output, /There is no folder .*nowhere.*--data <folder>/);
    assert.match(
      (await run('--set', 'tiny', '--size', 'all')).output,
      /--size: expected a whole number/,
    );
  });
});
