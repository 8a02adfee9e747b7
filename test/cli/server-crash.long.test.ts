import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { join } from 'node:path';
import { openSqlite } from '../../src/platform/db/open-sqlite.js';
import { makeInitialized, type RunningCli, type TestInstallation } from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';

const pages = 150;

interface BatchRow {
  status: string;
  attempts: number;
  processed_pages: number;
  processed_chunks: number;
  lease_token: string | null;
}

/** The moments of a kill, in the order of a batch's progress. */
const marks: Record<string, (row: BatchRow) => boolean> = {
  'as soon as it has taken the batch': (row) => row.attempts > 0,
  'in the middle of the pages': (row) => row.processed_pages >= 40,
  'after the first entries': (row) => row.processed_chunks > 0,
  'in the middle of the entries': (row) => row.processed_chunks >= pages / 2,
};

describe('A server that dies while it ingests a long manual', () => {
  let installation: TestInstallation;
  let db: Knex;
  let manual: Uint8Array;
  let undisturbed: unknown[];
  let server: RunningCli;

  before(async () => {
    installation = await makeInitialized();
    manual = await sampleManual(pages);
    const path = join(installation.folder, 'data', 'assistant.sqlite');
    db = openSqlite(path, 1, ['pragma busy_timeout = 5000']);
    await serve();
    const batch = await upload();
    undisturbed = await entriesOf(await until(batch, ({ status }) => status === 'completed'));
    assert.equal(undisturbed.length, pages);
    await stop();
  });
  // A running server would keep the test run from ending, even after a failed test.
  afterEach(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
  });
  after(async () => {
    await db.destroy();
    await installation.remove();
  });

  let url = '';
  let uploads = 0;
  let token = '';
  const serve = async () => {
    server = installation.start(['serve', '--port', '0']);
    url = (await server.until(/serves at (\S+)/))[1] ?? '';
    const args = ['tokens', 'create', '--user', 'ada@acme.example', '--name', 'test'];
    if (token === '') token = (await installation.json<{ token: string }>(args)).token;
  };
  const stop = async () => {
    server.child.kill('SIGTERM');
    return server.ended;
  };
  const upload = async (): Promise<string> => {
    const body = new FormData();
    // Each upload has its own name, because a new version of the same file would have no new entries.
    const name = `m-${++uploads}.pdf`;
    body.set('file', new Blob([new Uint8Array(manual)], { type: 'application/pdf' }), name);
    body.set('force', 'true');
    const headers = { Authorization: `Bearer ${token}` };
    const reply = await fetch(`${url}/api/knowledge/ingest-pdf`, { method: 'POST', body, headers });
    assert.equal(reply.status, 202);
    return ((await reply.json()) as { batch_id: string }).batch_id;
  };
  /** Reads the batch until a condition holds, a limited number of times. */
  const until = async (id: string, wish: (row: BatchRow) => boolean): Promise<string> => {
    for (let tries = 0; tries < 4000; tries++) {
      const row = await read(id);
      if (wish(row)) return id;
      assert.notEqual(row.status, 'failed');
      await wait(3);
    }
    throw new Error(`batch ${id} did not reach the state: ${JSON.stringify(await read(id))}`);
  };
  const read = async (id: string) =>
    (await db<BatchRow>('ingestion_batches').where('id', id).first()) as BatchRow;
  const entriesOf = async (id: string): Promise<unknown[]> =>
    db('knowledge_entries')
      .where('batch_id', id)
      .orderBy('id')
      .select('title', 'content', 'language', 'page_from', 'page_to', 'status');
  const count = async (table: string) =>
    Number((await db(table).count({ count: '*' }).first())?.['count']);

  it('stores the same entries as an undisturbed run after its restart', async () => {
    for (const [moment, mark] of Object.entries(marks)) {
      const entriesBefore = await count('knowledge_entries');
      const passagesBefore = await count('passages');
      const uploadsBefore = await count('ingestion_uploads');
      await serve();
      const batch = await until(await upload(), mark);
      server.child.kill('SIGKILL');
      await server.ended;
      assert.equal((await read(batch)).status, 'processing', `${moment}: it was killed in time`);
      await serve();
      await until(batch, ({ status }) => status === 'completed');
      assert.deepEqual(await entriesOf(batch), undisturbed, moment);
      assert.equal((await read(batch)).attempts, 2, moment);
      const more = await count('knowledge_entries');
      assert.equal(more, entriesBefore + pages, `${moment}: no orphan`);
      assert.equal(await count('passages'), passagesBefore + pages, moment);
      assert.equal(await count('ingestion_uploads'), uploadsBefore + 1, moment);
      assert.equal((await stop()).code, 0);
    }
  });

  it('returns its lease when it is stopped, and the next worker continues at once', async () => {
    await serve();
    const batch = await until(
      await upload(),
      marks['in the middle of the entries'] ?? (() => true),
    );
    const { code, stderr } = await stop();
    assert.equal(code, 0, stderr);
    const { status, lease_token, attempts } = await read(batch);
    assert.deepEqual([status, lease_token, attempts], ['processing', null, 0]);
    const worker = await installation.run(['worker', '--once']);
    assert.equal(worker.code, 0, worker.stderr);
    assert.deepEqual(await entriesOf(batch), undisturbed);
    assert.equal((await read(batch)).attempts, 1);
  });
});
