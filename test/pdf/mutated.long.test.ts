import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import { createJudge } from './hostile/extraction-outcome.js';
import { createRandom, mutate } from './hostile/mutate.js';

const rounds = Number(process.env['PDF_FUZZ_ROUNDS'] ?? 150);
const seed = Number(process.env['PDF_FUZZ_SEED'] ?? 1);
/** Runs only this round, to look at a failure. */
const only = process.env['PDF_FUZZ_ROUND'];

async function readPdfs(folder: string): Promise<Buffer[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pdf')).sort();
  return Promise.all(names.map((name) => readFile(join(folder, name))));
}

async function readSamples(): Promise<Buffer[]> {
  const folder = process.env['PDF_FUZZ_FOLDER'];
  if (folder !== undefined) return readPdfs(folder);
  const fixtures = await readPdfs(join(packageRoot(), 'test', 'fixtures', 'pdf'));
  return [...fixtures, ...(await readPdfs(join(packageRoot(), 'docs', 'manual')))];
}

describe('A randomly changed PDF', function () {
  this.timeout(0);
  let judge: ReturnType<typeof createJudge>;
  before(() => {
    judge = createJudge();
  });
  after(() => judge.close());

  it(`is read or refused within its limits (${rounds} rounds, seed ${seed})`, async () => {
    const samples = await readSamples();
    assert.ok(samples.length > 0);
    const ends = new Map<string, number>();
    for (
      let round = Number(only ?? 0);
      round < (only === undefined ? rounds : Number(only) + 1);
      round++
    ) {
      const file = mutate(samples, createRandom(seed * 1_000_003 + round));
      const { end, milliseconds, fault } = await judge.judge(file);
      ends.set(end, (ends.get(end) ?? 0) + 1);
      if (fault === undefined) continue;
      const kept = join(tmpdir(), `pdf-fuzz-${seed}-${round}.pdf`);
      await writeFile(kept, file);
      assert.fail(`seed ${seed}, round ${round} (${milliseconds} ms): ${fault}. The file: ${kept}`);
    }
    if (process.env['PDF_FUZZ_ROUNDS'] !== undefined) console.log(Object.fromEntries(ends));
    assert.ok((ends.get('completed') ?? 0) > 0, 'some files are still read');
  });
});
