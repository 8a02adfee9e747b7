import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { openRemoteTarget } from '../../../src/ingestion/bulk/remote-target.js';
import { runIngest } from '../../../src/ingestion/bulk/run-ingest.js';
import { createOutput } from '../../../src/platform/cli/terminal.js';
import { sampleManual } from '../../support/sample-manual.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';

interface Answer {
  files: { outcome: string }[];
  summary: Record<string, unknown>;
  error?: { code: string; message: string };
}

describe('Ingesting many files at a server that is gone in the middle of them', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let between: Server;
  let isGone = false;
  let breaksAt: string | undefined = 'filename="b.pdf"';

  before(async () => {
    test = await serveTestApp({ ingestion: { worker: true, poll_ms: 50 } });
    acme = await addOrganization(test);
    folder = await makeTemporaryFolder();
    // The network: it breaks when the second file comes by.
    between = createServer((socket) => {
      if (isGone) return socket.destroy();
      const server = connect(Number(new URL(test.url).port), '127.0.0.1');
      socket.on('data', (bytes) => {
        isGone = breaksAt !== undefined && bytes.includes(breaksAt);
        if (isGone) socket.destroy();
      });
      for (const one of [socket, server]) one.on('error', () => undefined);
      return socket.pipe(server).pipe(socket);
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    between.close();
    await folder.remove();
    await test.close();
  });

  it('stops after the tries for one of them, says so, and a second run does the rest', async () => {
    const { token } = await addUser(test, acme, 'backoffice');
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      await writeFile(join(folder.path, `${name}.pdf`), await sampleManual(index + 1));
    }
    let tries = 1;
    const run = async () => {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const terminal = { stdin: new PassThrough().end(), stdout, stderr };
      const { signal: interrupted } = new AbortController();
      const context = { out: createOutput(terminal, { json: true, quiet: true }), terminal };
      const choice = { include: [], exclude: [] };
      const options = { choice, stdinName: undefined, quiet: true, prune: false, yes: false };
      const doing = { approve: false, wait: true, dryRun: false, concurrency: 1 };
      const { port } = between.address() as AddressInfo;
      const settings = {
        url: new URL(`http://127.0.0.1:${port}`),
        token: () => Promise.resolve(token),
        note: () => undefined,
        pause: () => Promise.resolve(void (tries += isGone ? 1 : 0)),
      };
      const code = await runIngest(
        { ...context, interrupted },
        [folder.path],
        { ...options, ...doing },
        (_, signal) =>
          openRemoteTarget({ ...settings, signal }, { domain: acme.domain, force: false }),
      );
      const answer = JSON.parse(String(stdout.read())) as Answer;
      return { code, ...answer, told: String(stderr.read()) };
    };
    const first = await run();
    assert.deepEqual([first.code, first.error?.code, tries], [1, 'server_unreachable', 6]);
    const { files, ingested, failed, interrupted } = first.summary;
    assert.deepEqual([files, ingested, failed, interrupted], [5, 1, 0, 4]);
    assert.match(first.told, /does not answer .*run the same command again\.$/m);
    [isGone, breaksAt] = [false, undefined];
    const second = await run();
    // The file whose answer was lost may have been stored.
    const { new: added = 0, unchanged = 0 } = second.summary as Record<string, number>;
    assert.deepEqual([second.code, added + unchanged], [0, 5]);
    const batches = await test.app.db.read('ingestion_batches').select('id');
    assert.equal(batches.length, 5);
  });
});
