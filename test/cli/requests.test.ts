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

  it('lists, shows, resolves and dismisses requests', async () => {
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

  it('replaces an answer only with --again, together with its entry', async () => {
    const { stdout } = await run('create', 'How', 'high?', '--email', 'ann@x.example', '--json');
    const created = JSON.parse(stdout) as { id: number; requester_email: string };
    const id = String(created.id);
    assert.equal(created.requester_email, 'ann@x.example');
    assert.match((await run('create', 'How high?')).stdout, /asks this already/);
    const place = ['--publish', '--domain', 'new.example'];
    assert.equal((await run('resolve', id, '--response', 'Five metres.', ...place)).code, 0);
    const entry = async () => {
      const shown = await run('show', id, '--json');
      const { knowledge_entry_id: uuid } = JSON.parse(shown.stdout) as {
        knowledge_entry_id: string;
      };
      const { content } = await installation.json<{ content: string }>(['knowledge', 'show', uuid]);
      return { uuid, content };
    };
    const other = ['--response', 'Six metres.'];
    const refused = await run('resolve', id, ...other);
    assert.equal(refused.code, 4);
    assert.match(refused.stderr, /resolved already. Add --again/);
    const { uuid, content } = await entry();
    assert.equal(content, 'Five metres.');
    assert.equal((await run('resolve', id, ...other, '--again')).code, 0);
    assert.deepEqual(await entry(), { uuid, content: 'Six metres.' });

    await installation.run(['knowledge', 'edit', uuid, '--content', 'Six metres and a half.']);
    const third = await run('resolve', id, '--response', 'Seven metres.', '--again');
    assert.match(third.stderr, /says something else: replace its text with --publish/);
    assert.equal((await entry()).content, 'Six metres and a half.');
  });

  it('lists unanswered questions of ask --request', async () => {
    const asked = await installation.run(['ask', '-'], { input: 'Where do the swallows nest?\n' });
    assert.equal(asked.code, 0);
    assert.match(asked.stderr, /Add --request to send such a question to the operators/);
    const piped = ['ask', '--request', '--json'];
    const { request } = await installation.json<{ request: number }>(piped, {
      input: 'Where do the swallows nest?',
    });
    const { stdout } = await run('show', String(request));
    assert.match(stdout, /Where do the swallows nest\?/);
  });

  it('asks for nothing without a terminal, and names a missing or unknown value', async () => {
    const unanswered = await run('resolve', String(second));
    assert.equal(unanswered.code, 2);
    assert.match(unanswered.stderr, /--response/);
    assert.equal((await run('show', '999')).code, 3);
    assert.equal((await run('dismiss', String(first), '--yes')).code, 4);
  });
});
