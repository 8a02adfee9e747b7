import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { openLocalTarget } from '../../src/ingestion/bulk/local-target.js';
import { runIngest } from '../../src/ingestion/bulk/run-ingest.js';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import { openWorker } from '../../src/ingestion/worker/run-worker.js';
import { createOutput } from '../../src/platform/cli/terminal.js';
import { updateOrganization } from '../../src/tenancy/manage-organization.js';
import { callApi } from '../support/api-client.js';
import { sampleManual } from '../support/sample-manual.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { addOrganization, openTestApp, serveTestApp, type TestApp } from '../support/test-app.js';

/** SQLite takes a file that may have no more pages for a disk that is full. */
async function fillDisk({ app }: TestApp): Promise<void> {
  // Without free pages inside the file, which could be used first.
  await app.db.write.raw('vacuum');
  const [row] = await app.db.write.raw<{ page_count: number }[]>('pragma page_count');
  await app.db.write.raw(`pragma max_page_count = ${(row?.page_count ?? 0) + 8}`);
}

async function makeRoom({ app }: TestApp): Promise<void> {
  await app.db.write.raw('pragma max_page_count = 1000000');
}

describe('A full disk', () => {
  it('ends an ingestion with one sentence and its result, and keeps what was accepted', async () => {
    const folder = await makeTemporaryFolder();
    const test = await openTestApp({ ingestion: { poll_ms: 50 } });
    try {
      const acme = await addOrganization(test);
      const names = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => join(folder.path, name));
      for (const name of names) await writeFile(name, await sampleManual(60, name));
      const ingest = async () => {
        const [stdout, stderr] = [new PassThrough(), new PassThrough()];
        const terminal = { stdin: new PassThrough().end(), stdout, stderr };
        const out = createOutput(terminal, { json: true, quiet: true });
        const context = { out, terminal, interrupted: new AbortController().signal };
        const options = {
          ...{ choice: { include: [], exclude: [] }, stdinName: undefined, quiet: true },
          ...{ approve: false, wait: true, dryRun: false, concurrency: 2, prune: false, yes: true },
        };
        const code = await runIngest(context, names, options, (giveUp) =>
          openLocalTarget(test.app, acme.operator, { force: false }, { work: true, giveUp }),
        );
        const document = JSON.parse(String(stdout.read())) as {
          summary: Record<string, number>;
          error?: { code: string };
        };
        return { code, ...document, said: String(stderr.read() ?? '') };
      };
      await fillDisk(test);
      const { code, error, summary, said } = await ingest();
      assert.deepEqual([code, error?.code], [1, 'no_space'], said);
      assert.deepEqual([summary['interrupted'], summary['failed']], [3, 0]);
      assert.match(said, /^assistant: The disk of the database is full\. .*\n$/);
      await makeRoom(test);
      const again = await ingest();
      assert.deepEqual([again.code, again.summary['ingested']], [0, 3]);
    } finally {
      await test.close();
      await folder.remove();
    }
  });

  it('is told once by a server, which is not ready meanwhile, and goes on when there is room', async () => {
    const said: string[] = [];
    const test = await serveTestApp({ ingestion: { poll_ms: 50 } });
    const log = test.app.log.child({});
    const noted = (fields: { reason?: string }, message?: string) => {
      said.push([message, fields.reason].join(': '));
    };
    Object.assign(log, { error: noted, warn: noted });
    let worker: ReturnType<typeof openWorker> | undefined;
    try {
      const acme = await addOrganization(test);
      const ready = async () => {
        const { status, body } = await callApi<{ checks: { database: string } }>(
          `${test.url}/health/ready`,
        );
        return [status, body.checks.database];
      };
      const bytes = await sampleManual(60);
      const { batch } = await startIngestion(test.app, acme.operator, { fileName: 'a.pdf', bytes });
      await fillDisk(test);
      // Not before: what it has begun to store would leave room when it is taken back.
      worker = openWorker({ ...test.app, log });
      const store = startIngestion(test.app, acme.operator, {
        fileName: 'b.pdf',
        bytes: await sampleManual(60, 'cart'),
      });
      await assert.rejects(store, { code: 'no_space' });
      // A row that still fits does not make the disk less full.
      const small = { name: 'Acme Corporation' };
      await updateOrganization(test.app, acme.operator, acme.operator.organizationId, small);
      assert.deepEqual(await ready(), [503, 'its disk is full']);
      for (let tries = 0; tries < 1000 && said.length === 0; tries++) await wait(10);
      assert.match(said.join('\n'), /^files are not ingested: The disk of the database is full/);
      await makeRoom(test);
      assert.deepEqual(await ready(), [200, 'ok']);
      const done = () => test.app.db.read('ingestion_batches').where({ id: batch.id }).first();
      for (let tries = 0; tries < 2000; tries++) {
        const { status } = (await done()) as { status: string };
        if (status === 'completed') break;
        await wait(10);
      }
      assert.equal(((await done()) as { status: string }).status, 'completed');
      assert.equal(said.length, 1);
    } finally {
      await worker?.stop();
      await test.close();
    }
  });
});
