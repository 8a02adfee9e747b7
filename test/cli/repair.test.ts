import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { doctorReply } from '../../src/operations/doctor.schema.js';
import { openSqlite } from '../../src/platform/db/open-sqlite.js';
import {
  makeInitialized,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';

describe('assistant doctor --repair and upgrade', () => {
  let installation: TestInstallation;
  let host: Host;
  before(async () => {
    installation = await makeInitialized();
    host = startHost(installation);
  });
  after(async () => {
    await host.stop();
    await installation.remove();
  });

  async function byHand(sql: string): Promise<void> {
    const path = join(installation.folder, 'data', 'assistant.sqlite');
    const db = openSqlite(path, 1, ['pragma foreign_keys = off']);
    try {
      await db.raw(sql);
    } finally {
      await db.destroy();
    }
  }

  it('store the findings of a full examination beside the database, but not of a quick one', async () => {
    const file = join(installation.folder, 'data', 'assistant.sqlite.last-examination');
    await host.run(['doctor', '--quick']);
    assert.equal(existsSync(file), false);
    const { checked_at: at, checks } = doctorReply.parse(await host.json(['doctor']));
    const kept = doctorReply.parse(JSON.parse(readFileSync(file, 'utf8')));
    assert.equal(kept.checked_at, at);
    assert.deepEqual(kept.checks, checks);
  });

  it('find, rehearse and repair a fault, with a backup, and exit with 0 after it', async () => {
    const fact = ['--title', 'Pump', '--content', 'The pump needs oil.'];
    await host.run([
      'knowledge',
      'create',
      ...fact,
      '--domain',
      'docs.acme.example',
      '--status',
      'published',
    ]);
    await byHand('delete from passages');
    const found = await host.run(['doctor', '--quick']);
    assert.equal(found.code, 1);
    assert.match(
      found.stdout,
      /failed {2}passages: 1 entry has no passages.*\n +Run: assistant doctor --repair/,
    );
    const rehearsed = await host.run(['doctor', '--repair', '--dry-run', '--quick']);
    assert.equal(rehearsed.code, 1, 'nothing was changed');
    assert.match(rehearsed.stdout, /would be done: made the passages of 1 entry anew/);
    const repaired = await host.run(['doctor', '--repair', '--quick']);
    assert.equal(repaired.code, 0, repaired.stdout);
    assert.match(repaired.stdout, /^Backup: .*\.tar\.gz\n/);
    assert.match(repaired.stdout, /\n {2}done: made the passages of 1 entry anew\n/);
    assert.match((await host.run(['ask', 'What does the pump need?'])).stdout, /oil/);
    const again = doctorReply.parse(await host.json(['doctor', '--repair', '--quick']));
    assert.deepEqual(again.repair, {
      ...{ dry_run: false, backup: null, removed_rows_file: null, removed_rows: {}, kinds: [] },
    });
  });

  it('exit with 5 if a fault needs a person', async () => {
    await byHand(
      `insert into ingestion_batches (id, organization_id, app_id, file_name, file_sha256, file_size, status, created_by,
         created_at, updated_at)
       values ('lost', 1, 1, 'lost.pdf', 'x', 9, 'completed', 'operator', '2026-01-01', '2026-01-01')`,
    );
    const { code, stdout } = await host.run(['doctor', '--repair', '--quick']);
    assert.equal(code, 5, stdout);
    assert.match(stdout, /left: the stored file "lost\.pdf" of batch lost is not whole\n.*--force/);
    await byHand(`delete from ingestion_batches where id = 'lost'`);
  });

  it('refuse options that need another option', async () => {
    assert.equal((await host.run(['doctor', '--dry-run'])).code, 2);
    assert.equal((await host.run(['upgrade', '--estimate'])).code, 2);
  });

  it('upgrade an outdated database, and name the applied steps', async () => {
    await byHand('update search_index set format = 0');
    const plan = await host.json<Record<string, unknown>>(['upgrade', '--check']);
    assert.equal(plan['up_to_date'], false);
    assert.deepEqual((await host.json<{ applied: string[] }>(['upgrade'])).applied, [
      'search-index',
    ]);
    const { code, stdout } = await host.run(['upgrade', '--check']);
    assert.equal(code, 0);
    assert.match(stdout, /There is nothing to do\.\n$/);
  });
});
