import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openApp } from '../../src/main/open-app.js';
import { configSchema } from '../../src/platform/config/schema.js';
import { fileRequest } from '../../src/requests/file-request.js';
import { hosted, makeInitialized, type TestInstallation } from '../support/run-cli.js';

describe('assistant requests', () => {
  let installation: TestInstallation;
  let first: number;
  let second: number;

  before(async () => {
    installation = hosted(await makeInitialized());
    const path = join(installation.folder, 'data', 'assistant.sqlite');
    const app = await openApp(configSchema.parse({ database: { path }, log: { level: 'silent' } }));
    try {
      const operator = { kind: 'operator', organizationId: 1 } as const;
      const file = async (question: string) => (await fileRequest(app, operator, { question })).id;
      first = await file('Where is the \u001b[31mpump?');
      second = await file('How deep is the well?');
    } finally {
      await app.close();
    }
  });
  after(() => installation.remove());

  const run = (...words: string[]) => installation.run(['requests', ...words]);

  it('lists, shows, answers and dismisses what people have asked', async () => {
    const listed = await run('list', '--status', 'open', '--json');
    assert.deepEqual(
      (JSON.parse(listed.stdout) as { data: { id: number }[] }).data.map(({ id }) => id),
      [second, first],
    );
    const shown = await run('show', String(first));
    assert.match(shown.stdout, /Where is the .*pump\?/);
    assert.ok(!shown.stdout.includes('\u001b[31m'));

    const answer = ['--response', 'In the cellar.', '--publish', '--domain', 'new.example'];
    const resolved = await run('resolve', String(first), ...answer);
    assert.equal(resolved.code, 0, resolved.stderr);
    assert.match(resolved.stdout, /^Resolved request \d+, published as entry [0-9a-f-]{36}\./);
    assert.equal((await run('dismiss', String(second), '--yes')).code, 0);
    const rest = await run('list', '--status', 'open', '--json');
    assert.deepEqual((JSON.parse(rest.stdout) as { data: unknown[] }).data, []);
  });

  it('asks for nothing without a terminal, and says what is missing or unknown', async () => {
    const unanswered = await run('resolve', String(second));
    assert.equal(unanswered.code, 2);
    assert.match(unanswered.stderr, /--response/);
    assert.equal((await run('show', '999')).code, 3);
    assert.equal((await run('dismiss', String(first), '--yes')).code, 4);
  });
});
