import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hosted, makeInitialized, program, type TestInstallation } from '../support/run-cli.js';

describe('assistant conversations export', () => {
  let installation: TestInstallation;
  const run = (...args: string[]) => installation.run(['conversations', 'export', ...args]);
  const records = async () =>
    (
      await installation.json<{ data: { after: object }[] }>([
        ...['audit', 'list', '--action', 'conversation.export'],
      ])
    ).data.map(({ after }) => after);

  before(async () => {
    installation = hosted(await makeInitialized());
    for (const question of ['How often is the pump oiled?', 'Hello'])
      assert.equal((await installation.run(['ask', question])).code, 0);
  });
  after(() => installation.remove());

  it('writes JSON lines to standard output, or a filtered CSV file that only its owner can read', async () => {
    const all = await run();
    assert.deepEqual([all.code, all.stderr], [0, '2 conversations\n']);
    const lines = all.stdout.trimEnd().split('\n');
    const titles = lines.map((line) => (JSON.parse(line) as { title: string }).title);
    assert.deepEqual(titles, ['How often is the pump oiled?', 'Hello']);
    const file = join(installation.folder, 'unanswered.csv');
    const filters = ['--found', 'false', '--channel', 'cli'];
    const done = await run('--out', file, ...filters);
    assert.deepEqual([done.code, done.stdout], [0, `Exported 1 conversation to ${file}.\n`]);
    assert.equal((await readFile(file, 'utf8')).split('\r\n').length, 1 + 2 + 1);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const declined = await run('--out', file);
    assert.equal(declined.code, 2);
    assert.match(declined.stderr, /--yes/);
    const document = await run('--out', file, '--rating', 'up', '--yes', '--json');
    assert.deepEqual(JSON.parse(document.stdout), { out: file, format: 'csv', conversations: 0 });
    assert.deepEqual((await records()).reverse(), [
      { format: 'jsonl' },
      { format: 'csv', channel: 'cli', found: false },
      { format: 'csv', rating: 'up' },
    ]);
  });

  it('leaves no partial file and no audit record if the file can’t be written', async () => {
    const before = await records();
    const folder = join(installation.folder, 'folder');
    await mkdir(folder);
    for (const out of [folder, join(folder, 'none', 'x.csv')]) {
      const { code, stderr } = await run('--out', out, '--yes');
      assert.equal(code, 2, stderr);
    }
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual(await records(), before);
    assert.equal((await run('--app', 'none')).code, 3);
    for (const bad of [
      ['--rating', 'bad'],
      ['--words', ''],
      ['--words', 'x'.repeat(201)],
    ])
      assert.equal((await run(...bad)).code, 2, bad[0]);
  });

  it('exits with 0 if its reader leaves, and fails if the disk is full', function () {
    if (!existsSync('/dev/full')) return;
    const shell = (line: string) =>
      spawnSync('bash', ['-o', 'pipefail', '-c', line, 'bash', process.execPath, program], {
        ...{ cwd: installation.folder, encoding: 'utf8', timeout: 60_000 },
      });
    const left = shell('"$1" "$2" conversations export | true');
    assert.equal(left.status, 0, left.stderr);
    assert.match(left.stderr, /^\d conversations?\n$/);
    const full = shell('"$1" "$2" conversations export > /dev/full');
    assert.equal(full.status, 4, full.stderr);
    assert.match(full.stderr, /The disk is full/);
  });
});
