import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqlite } from '../../src/platform/db/open-sqlite.js';
import { type PseudoTerminal } from '../support/pseudo-terminal.js';
import { hosted, makeInitialized, type TestInstallation } from '../support/run-cli.js';

interface Made {
  file: string;
  sha256: string;
  counts: Record<string, number>;
}

describe('assistant backup and restore', () => {
  let installation: TestInstallation;
  let made: Made;
  const terminals: PseudoTerminal[] = [];

  before(async () => {
    installation = hosted(await makeInitialized());
    await addEntry('Hours');
    // A running server keeps the database open.
    const server = installation.start(['serve', '--port', '0']);
    await server.until(/serves at/);
    made = await installation.json<Made>(['backup']);
    const refused = await installation.run(['restore', made.file, '--yes']);
    assert.equal(refused.code, 4);
    assert.match(refused.stderr, /Another process has .*assistant\.sqlite open/);
    server.child.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
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

  it('make a backup beside a running server, list it and verify it', async () => {
    assert.equal(made.counts['knowledge_entries'], 1);
    assert.match(made.sha256, /^[0-9a-f]{64}$/);
    const { data } = await installation.json<{ data: { file: string }[] }>(['backup', 'list']);
    assert.deepEqual(
      data.map(({ file }) => file),
      [made.file],
    );
    const questions = join(installation.folder, 'golden.jsonl');
    await writeFile(questions, '{"question": "When does the shop open?", "answers": ["nine"]}\n');
    const good = await installation.run(['backup', 'verify', made.file, '--questions', questions]);
    assert.equal(good.code, 0, good.stderr);
    assert.match(good.stdout, /is whole: 1 organization, 1 entry, .*; 1 of 1 questions held\.\n$/);
    assert.equal(good.stderr, '');
  });

  it('exit with 1 and the problems for a damaged backup, and with 3 for a missing one', async () => {
    const copy = join(installation.folder, 'copy.tar.gz');
    await copyFile(made.file, copy);
    await writeFile(`${copy}.sha256`, `${'0'.repeat(64)}  copy.tar.gz\n`);
    const { ok, problems } = await installation.json<{ ok: boolean; problems: string[] }>([
      ...['backup', 'verify', copy],
    ]);
    assert.equal(ok, false);
    assert.match(problems.join(), /its checksum is not that of copy\.tar\.gz\.sha256/);
    assert.equal((await installation.run(['backup', 'verify', copy])).code, 1);
    assert.equal((await installation.run(['backup', 'verify', 'none.tar.gz'])).code, 3);
    assert.equal((await installation.run(['restore', copy, '--yes'])).code, 4);
    assert.equal((await installation.run(['backup', made.file])).code, 4);
    const mistyped = await installation.run(['backup', 'lst']);
    assert.deepEqual([mistyped.code, /backup list\?/.test(mistyped.stderr)], [2, true]);
    assert.deepEqual(await titles(), ['Hours']);
  });

  it('keep the number of backups in --keep, and name the deleted ones', async () => {
    const folder = join(installation.folder, 'kept');
    await mkdir(folder);
    const [old, young] = [join(folder, 'old.tar.gz'), join(folder, 'young.tar.gz')];
    const one = await installation.json<{ removed: string[] }>(['backup', old, '--keep', '1']);
    assert.deepEqual(one.removed, []);
    const other = await installation.run(['backup', young, '--keep', '1']);
    assert.equal(other.code, 0, other.stderr);
    assert.ok(other.stdout.endsWith(`\nRemoved ${old}\n`), other.stdout);
    assert.deepEqual(await readdir(folder), ['young.tar.gz', 'young.tar.gz.sha256']);
    // With a folder, the file's name contains the date, for nightly jobs.
    const dated = await installation.json<{ file: string }>(['backup', folder, '--keep', '1']);
    assert.match(dated.file, /[/\\]kept[/\\]assistant-[\dTZ-]+\.tar\.gz$/);
    assert.equal((await readdir(folder)).length, 2);
    assert.equal((await installation.run(['backup', '--keep', '0'])).code, 2);
  });

  it('take a missing folder for no file, as on a disk that is not mounted', async () => {
    for (const args of [['unmounted/'], ['unmounted', '--keep', '14']]) {
      const refused = await installation.run(['backup', ...args]);
      assert.equal(refused.code, 3, refused.stderr);
      assert.match(refused.stderr, /There is no folder .*unmounted\. Create it/);
    }
    assert.equal((await readdir(installation.folder)).includes('unmounted'), false);
  });
});
