import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeInitialized, type TestInstallation } from '../support/run-cli.js';

interface Report {
  summary: { created: number; updated: number; unchanged: number; failed: number };
  failures: { source: string; line: number; code: string; message: string }[];
}

describe('Knowledge in files', () => {
  let installation: TestInstallation;
  before(async () => (installation = await makeInitialized()));
  after(() => installation.remove());

  it('goes through pipes and files, with exit codes that a script can read', async () => {
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
});
