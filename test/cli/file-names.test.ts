import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unwritable } from '../../src/platform/cli/write-text.js';
import { sampleManual } from '../support/sample-manual.js';
import { hosted, makeInitialized, program, type TestInstallation } from '../support/run-cli.js';

/** Runs a line of the shell, in which "$0" "$1" are Node and the program. */
function inShell({ folder }: TestInstallation, line: string) {
  const args = ['-c', line, process.execPath, program];
  return spawnSync('sh', args, { cwd: folder, encoding: 'utf8', timeout: 60_000 });
}

describe('Files that a command can’t use', () => {
  let installation: TestInstallation;
  beforeEach(async () => {
    installation = hosted(await makeInitialized());
  });
  afterEach(() => installation.remove());

  it('are refused if their name is empty, and nothing is written', async () => {
    const before = await readdir(installation.folder);
    const lines = [
      ['backup', ''],
      ['backup', 'list', ''],
      ['knowledge', 'export', ''],
      ['conversations', 'export', '--out', ''],
    ];
    for (const args of lines) {
      const { code, stderr } = await installation.run(args);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /^assistant: .*: the name is empty\. Name a file or folder\.$/m);
    }
    assert.deepEqual(await readdir(installation.folder), before);
  });

  it('are named if a backup is to lie below one', async () => {
    await writeFile(join(installation.folder, 'file.txt'), '');
    const { code, stderr } = await installation.run(['backup', 'file.txt/x']);
    assert.match(stderr, /^assistant: \S*file\.txt is no folder\. Name another one\.\n$/);
    assert.equal(code, 2);
  });

  it('are reported as on a read-only disk', () => {
    const error = Object.assign(new Error('read-only'), { code: 'EROFS' });
    const message = "ro/a can't be written. Its disk is read-only: name another one.";
    assert.throws(() => unwritable('ro/a')(error), { code: 'usage', message });
  });

  it('are refused as a configuration in one sentence', async () => {
    await writeFile(join(installation.folder, 'a.pdf'), await sampleManual(1));
    const { code, stderr } = await installation.run(['--config', 'a.pdf', 'config', 'validate']);
    assert.equal(code, 2);
    assert.match(stderr, /^assistant: \S*a\.pdf is not valid YAML/);
    assert.doesNotMatch(stderr, /Warning/);
  });

  it('are not blamed for a limit of open files that is too low', async () => {
    await writeFile(join(installation.folder, 'a.pdf'), await sampleManual(1));
    for (const limit of [22, 32]) {
      const { status, stderr } = inShell(
        installation,
        `ulimit -n ${limit}; "$0" "$1" ingest a.pdf`,
      );
      assert.match(stderr, /^assistant: Too few files may be open at once .* ulimit -n 1024/);
      assert.equal(status, 2, String(limit));
    }
  });

  it('make a command fail whose result they can’t take', function () {
    if (process.platform !== 'linux') this.skip();
    for (const args of ['--version', 'keys list --json']) {
      const { status, stderr } = inShell(installation, `"$0" "$1" ${args} > /dev/full`);
      assert.equal(status, 1, args);
      assert.match(stderr, /^assistant: the result can't be written: ENOSPC/m);
    }
  });
});
