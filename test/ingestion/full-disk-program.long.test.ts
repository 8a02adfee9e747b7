import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeInitialized, program } from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';

describe('The program on a full disk', () => {
  it('exits with one sentence that names the cause and the next step', async () => {
    const installation = await makeInitialized();
    try {
      await writeFile(join(installation.folder, 'manual.pdf'), await sampleManual(300));
      // The unit is 512 bytes: the database fits, with little more.
      const limited = 'ulimit -f 1900 && exec "$@"';
      const child = spawn(
        'sh',
        ['-c', limited, 'sh', process.execPath, program, 'ingest', 'manual.pdf', '--json'],
        { cwd: installation.folder, stdio: ['ignore', 'pipe', 'pipe'] },
      );
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (data: Buffer) => (stdout += String(data)));
      child.stderr.on('data', (data: Buffer) => (stderr += String(data)));
      const [code] = (await once(child, 'close')) as [number];
      assert.equal(code, 1, stderr);
      const { error } = JSON.parse(stdout) as { error: { code: string } };
      assert.match(error.code, /^(?:no_space|database_readonly)$/);
      assert.match(stderr, /^assistant: The d\w+ .*run the same command again\.\n$/);
    } finally {
      await installation.remove();
    }
  });
});
