import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { openSqlite } from '../../src/platform/db/open-sqlite.js';
import { makeInitialized, type RunningCli, type TestInstallation } from '../support/run-cli.js';
import { chapterTitle, sampleManual } from '../support/sample-manual.js';

const chapters = 40;

interface BatchRow {
  id: string;
  status: string;
  attempts: number;
  processed_pages: number;
  processed_chunks: number;
  error_message: string | null;
  lease_token: string | null;
}

describe('A killed process', () => {
  let installation: TestInstallation;
  let db: Knex;

  beforeEach(async () => {
    installation = await makeInitialized();
    await writeFile(join(installation.folder, 'manual.pdf'), await sampleManual(chapters));
    db = openSqlite(join(installation.folder, 'data', 'assistant.sqlite'), 1, [
      'pragma busy_timeout = 5000',
    ]);
  });
  afterEach(async () => {
    await db.destroy();
    await installation.remove();
  });

  const batch = () => db<BatchRow>('ingestion_batches').first();
  /** Reads the database until a condition holds, a limited number of times. */
  const until = async (wish: (row: BatchRow | undefined) => boolean) => {
    for (let tries = 0; tries < 2000; tries++) {
      const row = await batch();
      if (wish(row)) return row;
      await wait(5);
    }
    throw new Error('the batch did not reach the state');
  };
  const killAt = async (running: RunningCli, wish: (row: BatchRow | undefined) => boolean) => {
    await until((row) => wish(row) || running.child.exitCode !== null);
    running.child.kill('SIGKILL');
    await running.ended;
  };
  const assertWhole = async () => {
    const rows = await db<{ id: number; title: string }>('knowledge_entries')
      .select('title')
      .orderBy('id');
    assert.deepEqual(
      rows.map((row) => row.title),
      Array.from({ length: chapters }, (_, index) => chapterTitle(index + 1, 'pump')),
    );
    assert.equal((await db('passages').count({ count: '*' }).first())?.['count'], chapters);
    assert.equal((await db('ingestion_batches').count({ count: '*' }).first())?.['count'], 1);
  };

  it('leaves an ingestion that the next run completes without duplicates', async () => {
    const moments: ((row: BatchRow | undefined) => boolean)[] = [
      (row) => row !== undefined,
      (row) => (row?.processed_chunks ?? 0) > 0,
    ];
    for (const moment of moments)
      await killAt(installation.start(['ingest', 'manual.pdf']), moment);
    const { code, stderr } = await installation.run(['ingest', 'manual.pdf']);
    assert.equal(code, 0, stderr);
    assert.equal((await batch())?.status, 'completed');
    await assertWhole();
  });

  it('loses no file among many small ones, and ingests none twice', async () => {
    const files = 40;
    await mkdir(join(installation.folder, 'docs'));
    for (let index = 0; index < files; index++) {
      const bytes = await sampleManual(2, `subject${index}`);
      await writeFile(join(installation.folder, 'docs', `${index}.pdf`), bytes);
    }
    const began = new Date().toISOString();
    const running = installation.start(['ingest', 'docs', '--approve', '--json']);
    const completed = async () => {
      const rows = await db<BatchRow>('ingestion_batches').where({ status: 'completed' });
      return rows.length;
    };
    for (let tries = 0; tries < 2000 && (await completed()) < files / 4; tries++) await wait(5);
    running.child.kill('SIGKILL');
    await running.ended;
    const before = await completed();
    assert.ok(before >= files / 4 && before < files, `${before} of ${files} were completed`);
    const again = new Date().toISOString();
    const args = ['ingest', 'docs', '--approve'];
    const report = await installation.json<{
      files: { name: string; outcome: string; stored_at: string }[];
      summary: { files: number; new: number; unchanged: number };
    }>(args);
    assert.equal(await completed(), files);
    // The killed run's files are unchanged, but their time shows that they are new.
    for (const { name, outcome, stored_at } of report.files) {
      assert.ok(stored_at >= (outcome === 'unchanged' ? began : again), `${name} at ${stored_at}`);
      assert.equal(outcome, stored_at < again ? 'unchanged' : 'ingested', name);
    }
    const { summary } = report;
    assert.ok(summary.unchanged >= before, `${summary.unchanged} of ${before}`);
    assert.deepEqual([summary.files, summary.new], [files, files - summary.unchanged]);
    const count = async (table: string, where = {}) =>
      (await db(table).where(where).count({ count: '*' }).first())?.['count'];
    assert.equal(await count('ingestion_batches'), files);
    assert.equal(await count('knowledge_entries', { status: 'published' }), files * 2);
    assert.equal(await count('knowledge_entries'), files * 2);
    assert.equal(await count('passages'), files * 2);
    assert.equal(await count('audit_log', { action: 'batch.start' }), files);
  });

  it('makes a batch fail the third time, with its reason and without drafts', async () => {
    for (let attempt = 1; attempt <= 3; attempt++) {
      await killAt(
        installation.start(['ingest', 'manual.pdf']),
        (row) => (row?.attempts ?? 0) >= attempt,
      );
    }
    // A worker can fail the batch only after the third lease has expired.
    for (let tries = 0; tries < 20 && (await batch())?.status === 'processing'; tries++) {
      await installation.run(['worker', '--once']);
    }
    const row = await batch();
    assert.equal(row?.status, 'failed');
    assert.match(row.error_message ?? '', /stopped 3 times/);
    assert.equal((await db('knowledge_entries').count({ count: '*' }).first())?.['count'], 0);
    assert.equal((await installation.run(['batches', 'retry', row.id])).code, 0);
    assert.equal((await installation.run(['worker', '--once'])).code, 0);
    assert.equal((await batch())?.status, 'completed');
    await assertWhole();
  });

  it('returns its lease at once after SIGTERM, and names the next step', async () => {
    // So many chapters that the ingestion can't end before the signal.
    const many = 150;
    await writeFile(join(installation.folder, 'manual.pdf'), await sampleManual(many));
    const running = installation.start(['ingest', 'manual.pdf']);
    await until((row) => (row?.processed_pages ?? 0) > 0 || (row?.processed_chunks ?? 0) > 0);
    running.child.kill('SIGTERM');
    const { code, stderr } = await running.ended;
    const row = await batch();
    assert.deepEqual([row?.status, row?.lease_token, row?.attempts], ['processing', null, 0]);
    assert.equal(code, 1);
    assert.match(stderr, /run the same command again/);
    assert.equal((await installation.run(['ingest', 'manual.pdf'])).code, 0);
    const [{ count } = { count: 0 }] = await db('knowledge_entries').count({ count: '*' });
    assert.equal(count, many);
  });
});
