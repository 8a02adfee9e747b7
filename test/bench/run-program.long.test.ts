import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';

const programs = ['run-bench', 'retrieval/eval-retrieval', 'pdf/eval-pdf'];

function run(program: string, ...args: string[]) {
  const file = join(packageRoot(), 'dist', 'bench', `${program}.js`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('A measuring program', () => {
  for (const program of programs) {
    it(`prints only its usage with --help (${program})`, () => {
      const { status, stdout, stderr } = run(program, '--help');
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^Usage: npm run [\w:]+ -- \[options\]\n/);
      for (const option of ['--only', '--json', '--help']) assert.ok(stdout.includes(option));
    });

    it(`exits with 2 and a suggestion for an unknown option (${program})`, () => {
      const misspelt = run(program, '--onyl', 'speed');
      assert.equal(misspelt.status, 2);
      assert.match(
        misspelt.stderr,
        /^Unknown option '--onyl'\. Did you mean --only\? All options: .* --help\n$/,
      );

      assert.equal(run(program, '--json').status, 2, 'a value is missing');
      assert.equal(run(program, 'stray').status, 2);
    });
  }

  it('suggests a measure for a misspelt one', () => {
    const { status, stderr } = run('run-bench', '--only', 'extracton');
    assert.equal(status, 2);
    assert.match(stderr, /there is no measure extracton; .* Did you mean extraction\?/);
  });
});
