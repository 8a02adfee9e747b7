import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { piecesOf, readNamedFile, requireFile } from '../../src/platform/named-file.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

describe('A file that a person named', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  const at = (name: string) => join(folder.path, name);
  beforeEach(async () => {
    folder = await makeTemporaryFolder();
    execFileSync('mkfifo', [at('pipe')]);
  });
  afterEach(() => folder.remove());

  it('is read whole: an ordinary file, a pipe that a program fills slowly, and /dev/null', async () => {
    await writeFile(at('file'), 'text');
    assert.equal(String(await readNamedFile(at('file'))), 'text');
    assert.equal(String(await readNamedFile('/dev/null')), '');
    const writer = spawn('sh', ['-c', '(echo one; sleep 0.2; echo two) > "$0"', at('pipe')]);
    assert.equal(String(await readNamedFile(at('pipe'))), 'one\ntwo\n');
    if (writer.exitCode === null) await once(writer, 'exit');
  });

  it('is refused when reading would never end, with what it is', async () => {
    const server = createServer().listen(at('socket'));
    await once(server, 'listening');
    const refusals: [string, RegExp][] = [
      [folder.path, /is a folder\. Name a file\./],
      [at('socket'), /is a socket\. Name a file\./],
      ['/dev/zero', /is a device that never ends\. Name a file\./],
      ['/dev/full', /is a device that never ends\. Name a file\./],
      [at('pipe'), /is a pipe, and no program writes into it\. Name a file\./],
    ];
    for (const [path, message] of refusals) {
      await assert.rejects(readNamedFile(path), { code: 'usage', message });
      await assert.rejects(requireFile(path), { code: 'usage' });
    }
    server.close();
  });

  it('is refused when it is too large to be the right one', async () => {
    await writeFile(at('file'), '');
    await truncate(at('file'), 5 * 1024 ** 3);
    const refusal = { code: 'file_too_large', message: /is larger than 1 MB/ };
    await assert.rejects(readNamedFile(at('file'), { mostMb: 1 }), refusal);
    assert.equal(await requireFile(at('file')), 5 * 1024 ** 3);
  });

  it('is left when the command is stopped, even a pipe whose writer says nothing', async () => {
    const writer = spawn('sh', ['-c', 'exec sleep 60 > "$0"', at('pipe')]);
    const stop = new AbortController();
    const reading = piecesOf(at('pipe'), stop.signal).next();
    stop.abort();
    await assert.rejects(reading);
    writer.kill();
    await once(writer, 'exit');
  });
});
