import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../src/platform/package-root.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

const run = promisify(execFile);
const program = join(packageRoot(), 'dist', 'bench', 'pdf', 'eval-pdf.js');

interface Report {
  machine: { node: string };
  measures: { name: string; rows: Record<string, string | number>[] }[];
}

function evaluate(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return run(process.execPath, [program, ...args]);
}

describe('npm run eval:pdf', () => {
  it('prints tables, writes their figures, and compares them with the manifest and the true text', async () => {
    const folder = await makeTemporaryFolder();
    const fixtures = join(packageRoot(), 'test', 'fixtures', 'pdf');
    for (const name of ['latex-outline.pdf', 'zero-pages.pdf']) {
      await copyFile(join(fixtures, name), join(folder.path, name));
    }
    await writeFile(join(folder.path, 'true.txt'), 'Foo bar baz');
    const manifest = [
      { file: 'latex-outline.pdf', expected: 'ok', truth: 'true.txt' },
      { file: 'zero-pages.pdf', expected: 'damaged' },
    ];
    await writeFile(join(folder.path, 'manifest.json'), JSON.stringify(manifest));
    const json = join(folder.path, 'figures', 'report.json');
    try {
      // The program exits with 1 because a file has an unexpected outcome, but still prints all tables.
      const failure = await evaluate([
        '--pdfs',
        folder.path,
        '--only',
        'quality',
        '--json',
        json,
      ]).then(
        () => assert.fail('the program exited with 0'),
        (error: unknown) => error as { code: number; stdout: string },
      );
      const { stdout } = failure;
      assert.equal(failure.code, 1);
      const report = JSON.parse(await readFile(json, 'utf8')) as Report;
      assert.equal(report.machine.node, process.versions.node);
      const rowsOf = (name: string) =>
        report.measures.find((measure) => measure.name === name)?.rows ?? [];
      assert.deepEqual(
        rowsOf('outcomes').map(({ file, outcome, verdict }) => [file, outcome, verdict]),
        [
          ['latex-outline.pdf', 'ok', 'as expected'],
          ['zero-pages.pdf', 'no_extractable_text', 'NOT as expected'],
        ],
      );
      const [score] = rowsOf('quality: words');
      assert.equal(score?.['file'], 'latex-outline.pdf');
      assert.ok(Number(score['ours']) > 0 && Number(score['plain']) > 0);
      assert.equal(rowsOf('structure').length, 1);
      for (const { name } of report.measures) assert.ok(stdout.includes(`\n${name}: `));
      assert.ok(stdout.includes(json));
    } finally {
      await folder.remove();
    }
  });

  for (const [args, code, sentence] of [
    [['--pdfs', 'nowhere'], 1, /--pdfs: there is no folder nowhere/],
    [['--only', 'beauty'], 2, /--only: there is no measure beauty; there are quality, speed/],
    [['--fast'], 2, /'--fast'/],
    [['--json'], 2, /'--json/],
  ] as const) {
    it(`refuses "${args.join(' ')}" before measuring anything, and names the option`, async () => {
      await assert.rejects(
        evaluate(args),
        (error: { code: number; stderr: string; stdout: string }) => {
          assert.equal(error.code, code);
          assert.match(error.stderr, sentence);
          assert.equal(error.stdout, '');
          return true;
        },
      );
    });
  }
});
