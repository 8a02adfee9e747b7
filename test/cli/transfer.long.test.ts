import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hosted, makeInitialized, program, type TestInstallation } from '../support/run-cli.js';

interface Report {
  summary: { created: number; updated: number; unchanged: number; failed: number };
  failures: { source: string; line: number; code: string; message: string }[];
}

describe('Knowledge in files', () => {
  let installation: TestInstallation;
  before(async () => (installation = hosted(await makeInitialized())));
  after(() => installation.remove());

  it('is imported and exported through pipes and files, with exit codes for scripts', async () => {
    const good = '{"id":"a","title":"A","content":"Text.","domain":"docs.acme.example"}';
    const part = await installation.run(['knowledge', 'import', '-', '--json'], {
      input: `${good}\n{"titel":"B"}\n`,
    });
    assert.equal(part.code, 5, part.stderr);
    const { summary, failures } = JSON.parse(part.stdout) as Report;
    assert.deepEqual(summary, { created: 1, updated: 0, unchanged: 0, failed: 1 });
    assert.equal(failures[0]?.line, 2);
    assert.match(failures[0].message, /did you mean title\?/);

    const out = await installation.run(['knowledge', 'export', '-']);
    assert.equal(out.code, 0);
    assert.equal(out.stderr, '1 entry\n');
    const again = await installation.run(['knowledge', 'import', '-'], { input: out.stdout });
    assert.deepEqual(
      [again.code, again.stdout],
      [0, '0 created, 0 updated, 1 unchanged, 0 failed\n'],
    );

    const file = join(installation.folder, 'knowledge.jsonl');
    assert.equal((await installation.run(['knowledge', 'export', file])).code, 0);
    assert.equal(await readFile(file, 'utf8'), out.stdout);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const refused = await installation.run(['knowledge', 'export', file]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--yes/);

    await writeFile(file, 'no JSON\n');
    const bad = await installation.run(['knowledge', 'import', file, '--dry-run']);
    assert.equal(bad.code, 1);
    assert.match(bad.stdout, /^failed {2}.*knowledge\.jsonl, line 1: is no JSON/);
    assert.equal((await installation.run(['knowledge', 'import', 'nothing'])).code, 3);
  });

  it('fails to export if the disk is full', function () {
    // Linux has this device for a full disk.
    if (!existsSync('/dev/full')) return;
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', '"$1" "$2" knowledge export - > /dev/full', 'sh', process.execPath, program],
      { cwd: installation.folder, encoding: 'utf8', timeout: 60_000 },
    );
    assert.equal(status, 4, stderr);
    assert.match(stderr, /The disk is full/);
    assert.equal(stderr.match(/can't be written/g)?.length, 1, stderr);
    assert.doesNotMatch(stderr, /\n +at |1 entry/);
  });

  it('is imported from no endless device or line, nor from a pipe that nobody fills', async () => {
    const { folder } = installation;
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    await writeFile(join(folder, 'large.jsonl'), '');
    await truncate(join(folder, 'large.jsonl'), 5 * 1024 ** 3);
    const run = (source: string) => installation.run(['knowledge', 'import', source]);
    assert.match((await run('/dev/zero')).stderr, /is a device that never ends/);
    assert.match((await run('pipe')).stderr, /no program writes into it/);
    assert.match((await run('large.jsonl')).stdout, /line 1: is longer than 64 MB/);
  });

  it('is exported into no pipe that nobody reads', async () => {
    spawnSync('mkfifo', [join(installation.folder, 'unread.jsonl')]);
    const unread = await installation.run(['knowledge', 'export', 'unread.jsonl']);
    assert.equal(unread.code, 2);
    assert.match(unread.stderr, /No program reads from unread\.jsonl\. Name a file\./);
  });

  it('is exported into a named pipe, which stays a pipe', async () => {
    const pipe = join(installation.folder, 'pipe.jsonl');
    const { status, stdout, stderr } = spawnSync(
      'sh',
      [
        ...[
          '-c',
          'mkfifo pipe.jsonl && { cat pipe.jsonl & "$1" "$2" knowledge export pipe.jsonl; wait; }',
        ],
        ...['sh', process.execPath, program],
      ],
      { cwd: installation.folder, encoding: 'utf8', timeout: 60_000 },
    );
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^\{"id":"[^\n]*\}\n$/);
    assert.ok((await stat(pipe)).isFIFO());
  });

  it('is exported without raw control characters, and loses none of them', async () => {
    const content = 'A \u009b31mred\u0085 \u202etxet\u2066 \u007f text.';
    const record = { id: 'controls', title: 'Controls', content, domain: 'docs.acme.example' };
    const given = { input: `${JSON.stringify(record)}\n` };
    assert.equal((await installation.run(['knowledge', 'import', '-'], given)).code, 0);
    const { stdout } = await installation.run(['knowledge', 'export', '-']);
    assert.doesNotMatch(stdout, /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    const lines = stdout.trim().split('\n');
    const exported = lines.map((line) => JSON.parse(line) as { content: string });
    assert.ok(exported.some((entry) => entry.content === content));
  });
});
