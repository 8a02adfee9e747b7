import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openSqlite } from '../../src/platform/db/open-sqlite.js';
import { type PseudoTerminal } from '../support/pseudo-terminal.js';
import {
  hosted,
  makeInitialized,
  type RunningCli,
  type TestInstallation,
} from '../support/run-cli.js';

interface Made {
  file: string;
  sha256: string;
  counts: Record<string, number>;
}

describe('assistant backup and restore, interrupted', () => {
  let installation: TestInstallation;
  let made: Made;
  const terminals: PseudoTerminal[] = [];

  before(async () => {
    installation = hosted(await makeInitialized());
    await addEntry('Hours');
    made = await installation.json<Made>(['backup']);
  });
  after(async () => {
    terminals.forEach((terminal) => terminal.close());
    await installation.remove();
  });

  const addEntry = async (title: string) => {
    const { code, stderr } = await installation.run([
      ...['knowledge', 'create', '--title', title, '--domain', 'docs.acme.example'],
      ...['--status', 'published', '--content', 'The shop opens at nine in the morning.'],
    ]);
    assert.equal(code, 0, stderr);
  };
  const database = () => join(installation.folder, 'data', 'assistant.sqlite');
  const backups = () => readdir(join(installation.folder, 'data', 'backups'));
  const titles = async () => {
    const db = openSqlite(database(), 1, ['pragma busy_timeout = 5000']);
    try {
      return (await db('knowledge_entries').orderBy('id').pluck('title')) as string[];
    } finally {
      await db.destroy();
    }
  };

  it('leaves no file after Ctrl-C, and the old or the new database after a kill', async () => {
    await fill();
    const before = await backups();
    const stopped = installation.start(['backup']);
    await until(stopped, async () => (await backups()).some((name) => name.startsWith('.')));
    stopped.child.kill('SIGINT');
    const { code, stderr } = await stopped.ended;
    assert.equal(code, 1, stderr);
    assert.match(stderr, /Interrupted: nothing was changed, and no partial file is left/);
    assert.deepEqual(await backups(), before);

    await addEntry('Later');
    const old = await titles();
    const killed = installation.start(['restore', made.file, '--yes']);
    // SQLite's journal exists from the first overwritten page to the last.
    await until(killed, () => Promise.resolve(existsSync(`${database()}-journal`)));
    killed.child.kill('SIGKILL');
    await killed.ended;
    const found = (await titles()).join();
    assert.ok([old.join(), 'Hours'].includes(found), found);
    const whole = await installation.run(['restore', made.file, '--yes']);
    assert.equal(whole.code, 0, whole.stderr);
    assert.deepEqual(await titles(), ['Hours']);
    const left = (await readdir(join(installation.folder, 'data'))).filter((name) =>
      name.startsWith('.'),
    );
    assert.deepEqual(left, [], 'the files of the killed run are deleted');
  });

  /** Stores so much that a backup takes a while. */
  async function fill(): Promise<void> {
    const db = openSqlite(database(), 1, ['pragma busy_timeout = 5000']);
    await db.raw('create table filler (id integer primary key, bytes blob)');
    await db.raw(
      `insert into filler (bytes) with recursive n(i) as (select 1 union all select i + 1 from n where i < 40)
       select randomblob(1000000) from n`,
    );
    await db.destroy();
  }
});

/** Waits for a condition. Fails if the program ends before. */
async function until(running: RunningCli, wish: () => Promise<boolean>): Promise<void> {
  while (!(await wish())) {
    if (running.child.exitCode !== null) {
      const { code, stderr } = await running.ended;
      throw new Error(`it ended with ${String(code)} before: ${stderr}`);
    }
    await wait(2);
  }
}
