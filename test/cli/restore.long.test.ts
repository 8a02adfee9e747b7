import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqlite } from '../../src/platform/db/open-sqlite.js';
import { openPseudoTerminal, type PseudoTerminal } from '../support/pseudo-terminal.js';
import {
  hosted,
  makeInitialized,
  makeInstallation,
  program,
  type TestInstallation,
} from '../support/run-cli.js';

interface Made {
  file: string;
  sha256: string;
  counts: Record<string, number>;
}

describe('assistant restore', () => {
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
  const titles = async () => {
    const db = openSqlite(database(), 1, ['pragma busy_timeout = 5000']);
    try {
      return (await db('knowledge_entries').orderBy('id').pluck('title')) as string[];
    } finally {
      await db.destroy();
    }
  };

  it('asks at a terminal before it overwrites, and requires --yes without one', async () => {
    await addEntry('Later');
    const silent = await installation.run(['restore', made.file]);
    assert.equal(silent.code, 2);
    assert.match(silent.stderr, /--yes/);
    const open = () => {
      const line = `"${process.execPath}" "${program}" restore "${made.file}"`;
      const terminal = openPseudoTerminal(line, installation.folder, {});
      terminals.push(terminal);
      return terminal;
    };
    const unsure = open();
    await unsure.shows(/Overwrite .*assistant\.sqlite\? A backup of it is\s+made first/);
    unsure.type('n\r');
    assert.equal(await unsure.ended, 1);
    assert.match(unsure.screen(), /Nothing was changed/);
    assert.deepEqual(await titles(), ['Hours', 'Later']);
    const sure = open();
    await sure.shows(/Overwrite/);
    sure.type('y\r');
    assert.equal(await sure.ended, 0);
    assert.match(sure.screen(), /What was there before: .*backups/);
    assert.deepEqual(await titles(), ['Hours']);
  });

  it('sets up a new machine with the database and configuration of a backup', async () => {
    const fresh = await makeInstallation();
    try {
      const restored = await fresh.json<{ database: string; configuration_file: string }>([
        ...['restore', made.file],
      ]);
      assert.equal(restored.database, join(fresh.folder, 'data', 'assistant.sqlite'));
      assert.equal(restored.configuration_file, join(fresh.folder, 'config.yaml'));
      assert.equal((await stat(restored.configuration_file)).mode & 0o077, 0);
      assert.deepEqual((await readdir(fresh.folder)).sort(), ['config.yaml', 'data']);
      const { stdout } = await fresh.run(['ask', 'When does the shop open?']);
      assert.match(stdout, /nine in the morning/);
    } finally {
      await fresh.remove();
    }
  });
});
