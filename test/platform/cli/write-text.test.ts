import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createProgress } from '../../../src/platform/cli/progress.js';
import { createOutput } from '../../../src/platform/cli/terminal.js';
import { exportText } from '../../../src/platform/cli/write-text.js';
import type { Session } from '../../../src/platform/cli/cli.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

describe('Text that a command exports', () => {
  const terminal = {
    ...{ stdin: new PassThrough(), stderr: new PassThrough() },
    stdout: Object.assign(new PassThrough(), { isTTY: true }),
  };
  const interruption = new AbortController();
  const session = {
    ...{ terminal, interrupted: interruption.signal },
    out: createOutput(terminal, { json: false, quiet: true }),
  } as unknown as Session;
  const write = (target: string, pieces: AsyncIterable<string>) =>
    exportText(session, {
      ...{ target, pieces, yes: true, progress: createProgress(terminal, true) },
      told: () => [{}, ''],
    });

  it('contains no control characters at a terminal', async () => {
    async function* pieces() {
      yield await Promise.resolve('a,\u001b[31m\r\n');
    }
    await write('-', pieces());
    assert.equal(String(terminal.stdout.read()), 'a,\uFFFD[31m\n');
  });

  it('leaves an existing file unchanged if the export is interrupted', async () => {
    const temporary = await makeTemporaryFolder();
    const folder = temporary.path;
    const file = join(folder, 'a.txt');
    await writeFile(file, 'before');
    async function* pieces() {
      yield await Promise.resolve('half');
      interruption.abort(new Error('Interrupted.'));
      yield 'a file';
    }
    await assert.rejects(write(file, pieces()), /Interrupted/);
    assert.deepEqual(await readdir(folder), ['a.txt']);
    assert.equal(await readFile(file, 'utf8'), 'before');
    await temporary.remove();
  });
});
