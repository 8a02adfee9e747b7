import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readSecretFile } from '../../../src/platform/cli/secret-file.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

const asked = (note: (text: string) => void = () => undefined) => ({
  ...{ option: '--token-file', what: 'token' },
  note,
});

describe('The token for a server', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  before(async () => {
    folder = await makeTemporaryFolder();
  });
  after(() => folder.remove());

  it('can be read from a pipe, such as a shell’s <(…), so that it need not be on a disk', async () => {
    const pipe = join(folder.path, 'pipe');
    await promisify(execFile)('mkfifo', ['-m', '600', pipe]);
    const notes: string[] = [];
    const [token] = await Promise.all([
      readSecretFile(
        pipe,
        asked((note) => notes.push(note)),
      ),
      writeFile(pipe, 'at_live_secret\n'),
    ]);
    assert.deepEqual([token, notes], ['at_live_secret', []]);
  });

  it('is refused if the file contains no token, without showing its content', async () => {
    const path = join(folder.path, 'token');
    for (const held of ['', 'two words', 'x'.repeat(9000)]) {
      await writeFile(path, held, { mode: 0o600 });
      await assert.rejects(
        readSecretFile(path, asked()),
        ({ message }: Error) =>
          /contains no token/.test(message) && (held === '' || !message.includes(held)),
      );
    }
    await assert.rejects(readSecretFile(folder.path, asked()), { code: 'usage' });
  });
});
