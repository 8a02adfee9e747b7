import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { keepSecret } from '../../../src/platform/cli/secret-file.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

describe('A secret file', () => {
  it('reserves its disk space before the secret is created, so that a full disk can’t lose it', async () => {
    const folder = await makeTemporaryFolder();
    try {
      const path = join(folder.path, 'site.secret');
      const secret = 'wsk_secret_of_a_test';
      let room = 0;
      await keepSecret(
        path,
        async () => {
          room = (await stat(path)).size;
          return { secret };
        },
        (made) => made.secret,
      );
      assert.ok(room > secret.length, `${room} bytes`);
      assert.equal(await readFile(path, 'utf8'), `${secret}\n`);
    } finally {
      await folder.remove();
    }
  });
});
