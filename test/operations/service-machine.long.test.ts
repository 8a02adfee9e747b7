import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { thisMachine } from '../../src/operations/service/machine.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

describe('The programs of systemd', () => {
  it('are given up when they do not answer a question', async () => {
    const folder = await makeTemporaryFolder();
    try {
      const program = join(folder.path, 'systemctl');
      await writeFile(program, '#!/bin/sh\nexec sleep 60\n');
      await chmod(program, 0o755);
      const message = /systemctl --version did not end within 5 s\./;
      const refusal = { code: 'unprocessable', message };
      await assert.rejects(thisMachine.run(program, ['--version']), refusal);
    } finally {
      await folder.remove();
    }
  });
});
