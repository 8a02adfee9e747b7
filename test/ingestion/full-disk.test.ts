import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { openLocalTarget } from '../../src/ingestion/bulk/local-target.js';
import { runIngest } from '../../src/ingestion/bulk/run-ingest.js';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import { openWorker } from '../../src/ingestion/worker/run-worker.js';
import { openSqlite } from '../../src/platform/db/open-sqlite.js';
import { createOutput } from '../../src/platform/cli/terminal.js';
import { updateOrganization } from '../../src/tenancy/manage-organization.js';
import { callApi } from '../support/api-client.js';
import { sampleManual } from '../support/sample-manual.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import {
  addOrganization,
  addUser,
  onSqlite,
  openTestApp,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

/** SQLite reports a full disk if its file may have no more pages. */
async function fillDisk({ app }: TestApp): Promise<void> {
  // Vacuuming removes free pages inside the file, which SQLite would use first.
  await app.db.write.raw('vacuum');
  const [row] = await app.db.write.raw<{ page_count: number }[]>('pragma page_count');
  await app.db.write.raw(`pragma max_page_count = ${(row?.page_count ?? 0) + 8}`);
}

async function makeRoom({ app }: TestApp): Promise<void> {
  await app.db.write.raw('pragma max_page_count = 1000000');
}

/** Ingests files as the command does, two at a time. */
async function ingestFiles({ app }: TestApp, { operator }: TestOrganization, names: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const terminal = { stdin: new PassThrough().end(), stdout, stderr };
  const out = createOutput(terminal, { json: true, quiet: true });
  const context = { out, terminal, interrupted: new AbortController().signal };
  const options = {
    ...{ choice: { include: [], exclude: [] }, stdinName: undefined, quiet: true },
    ...{ approve: false, wait: true, dryRun: false, concurrency: 2, prune: false, yes: true },
  };
  const code = await runIngest(context, names, options, (giveUp, signal) =>
    openLocalTarget(app, operator, { force: false }, { work: true, giveUp, signal }),
  );
  const document = JSON.parse(String(stdout.read())) as {
    summary: Record<string, number>;
    error?: { code: string };
  };
  return { code, ...document, notes: String(stderr.read() ?? '') };
}

onSqlite(describe)('Ingestion on a full disk', () => {
  it('ends with one sentence and its result, and can be continued', async () => {
    const folder = await makeTemporaryFolder();
    const test = await openTestApp({ ingestion: { poll_ms: 50 } });
    try {
      const acme = await addOrganization(test);
      const names = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => join(folder.path, name));
      for (const name of names) await writeFile(name, await sampleManual(60, name));
      const ingest = () => ingestFiles(test, acme, names);
      await fillDisk(test);
      const { code, error, summary, notes } = await ingest();
      assert.deepEqual([code, error?.code], [1, 'no_space'], notes);
      assert.deepEqual([summary['interrupted'], summary['failed']], [3, 0]);
      assert.match(notes, /^assistant: The disk of the database is full\. .*\n$/);
      await makeRoom(test);
      const again = await ingest();
      assert.deepEqual([again.code, again.summary['ingested']], [0, 3]);
    } finally {
      await test.close();
      await folder.remove();
    }
  });

  it('is reported once by a server, which is not ready until there is room, and then continues', async () => {
    const logged: string[] = [];
    const test = await serveTestApp({ ingestion: { poll_ms: 50 } });
    const log = test.app.log.child({});
    let resolveFirst: () => void = () => undefined;
    const firstLogged = new Promise<void>((resolve) => (resolveFirst = resolve));
    const noted = (fields: { reason?: string }, message?: string) => {
      logged.push([message, fields.reason].join(': '));
      resolveFirst();
    };
    Object.assign(log, { error: noted, warn: noted });
    let worker: ReturnType<typeof openWorker> | undefined;
    try {
      const acme = await addOrganization(test);
      const { token } = await addUser(test, acme, 'backoffice');
      const ready = async () => {
        const { status, body } = await callApi<{ checks: { database: string } }>(
          `${test.url}/health/ready`,
        );
        return [status, body.checks.database];
      };
      const bytes = await sampleManual(60);
      const { batch } = await startIngestion(test.app, acme.operator, { fileName: 'a.pdf', bytes });
      await fillDisk(test);
      // The worker starts now, because a rolled-back write of it would leave free pages.
      worker = openWorker({ ...test.app, log });
      const store = startIngestion(test.app, acme.operator, {
        fileName: 'b.pdf',
        bytes: await sampleManual(60, 'cart'),
      });
      await assert.rejects(store, { code: 'no_space' });
      // A small write that succeeds does not clear the state.
      const small = { name: 'Acme Corporation' };
      await updateOrganization(test.app, acme.operator, acme.operator.organizationId, small);
      assert.deepEqual(await ready(), [503, 'its disk is full']);
      await firstLogged;
      assert.match(logged.join('\n'), /^files are not ingested: The disk of the database is full/);
      await makeRoom(test);
      assert.deepEqual(await ready(), [200, 'ok']);
      const path = `/api/knowledge/ingestion-batches/${batch.id}/events`;
      const headers = { Authorization: `Bearer ${token}` };
      // The stream ends with the batch.
      const events = await (await fetch(test.url + path, { headers })).text();
      assert.match(events, /event: completed/);
      assert.equal(logged.length, 1);
    } finally {
      await worker?.stop();
      await test.close();
    }
  });
});

onSqlite(describe)('Ingestion into a database that another program has locked', () => {
  it('ends after the first file that waited in vain, and can be continued', async () => {
    const folder = await makeTemporaryFolder();
    const test = await openTestApp({ database: { busy_timeout_ms: 50 } });
    const other = openSqlite(test.app.config.database.path, 1, []);
    try {
      const acme = await addOrganization(test);
      const names = ['a', 'b', 'c', 'd', 'e'].map((name) => join(folder.path, `${name}.pdf`));
      for (const name of names) await writeFile(name, await sampleManual(1, name));
      await other.raw('begin immediate');
      const { code, error, summary, notes } = await ingestFiles(test, acme, names);
      assert.deepEqual([code, error?.code], [1, 'database_busy'], notes);
      assert.deepEqual([summary['interrupted'], summary['failed']], [5, 0]);
      assert.match(
        notes,
        /^assistant: Another program has locked the database for too long\. Wait until .* run the same command again\.\n$/,
      );
      await other.raw('rollback');
      const again = await ingestFiles(test, acme, names);
      assert.deepEqual([again.code, again.summary['ingested']], [0, 5], again.notes);
    } finally {
      await other.destroy();
      await test.close();
      await folder.remove();
    }
  });
});
