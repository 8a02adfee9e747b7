import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import {
  makeInstallation,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';

interface InitReply {
  dry_run: boolean;
  steps: { what: string; done: boolean; exists: boolean }[];
  snippet: string | null;
  models: { name: string; status: string; finding: string; remedy?: string }[];
}

const init = ['init', '--yes', '--organization', 'Acme', '--email', 'ada@acme.example'];
const password = { ASSISTANT_PASSWORD: 'correct horse' };
const things = [
  ...['Configuration', 'Database', 'Organization', 'App', 'Domain', 'Widget key'],
  'Administrator',
];

describe('assistant init', () => {
  let installation: TestInstallation;
  let host: Host;
  beforeEach(async () => {
    installation = await makeInstallation();
    host = startHost(installation);
  });
  afterEach(async () => {
    await host.stop();
    await installation.remove();
  });

  const namesOf = ({ steps }: InitReply) =>
    steps.map(({ what }) => things.find((thing) => what.startsWith(`${thing} `)));

  it('changes nothing the second time, lists what exists, and prints the tag again', async () => {
    const first = await host.run(init, password);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^made: {4}Organization Acme$/m);
    assert.doesNotMatch(first.stdout + first.stderr, /wk_secret|sk_/);
    // The default domain is localhost, which is for development only.
    assert.match(first.stderr, /Warning: no page may use this key yet\.[^]*allow_localhost: true/);
    assert.match(first.stderr, /assistant keys snippet wk_live_\w+ --server/);
    const config = await readFile(join(installation.folder, 'config.yaml'), 'utf8');

    const again = await host.run(init, password);
    assert.equal(again.code, 0);
    const lines = again.stdout.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => things.find((thing) => line.startsWith(`exists:  ${thing} `))),
      things,
    );
    assert.match(again.stderr, /Everything exists already: nothing was changed/);
    const tag = /<script src=.*<\/script>/.exec(first.stderr)?.[0];
    assert.ok(tag !== undefined && again.stderr.includes(tag));
    const reply = await host.json<InitReply>(['init', '--yes']);
    assert.deepEqual(namesOf(reply), things);
    assert.ok(reply.steps.every(({ done, exists }) => exists && !done));
    assert.equal(reply.snippet, tag);
    assert.equal(await readFile(join(installation.folder, 'config.yaml'), 'utf8'), config);
  });

  it('changes nothing in a dry run, and lists what exists', async () => {
    const before = await host.json<InitReply>(['init', '--dry-run', '--organization', 'Acme']);
    assert.equal(before.dry_run, true);
    assert.deepEqual(namesOf(before), things);
    assert.ok(before.steps.every(({ done, exists }) => !done && !exists));
    const elsewhere = await host.run(['init', '--dry-run', '--config', 'new/assistant.yaml']);
    assert.equal(elsewhere.code, 0, elsewhere.stderr);
    assert.match(elsewhere.stdout, /^to make: Database .*new.data.assistant\.sqlite$/m);
    assert.deepEqual(await readdir(installation.folder), []);

    await host.run(init, password);
    const after = await host.json<InitReply>(['init', '--dry-run', '--domain', 'new.example']);
    assert.deepEqual(
      after.steps.filter(({ exists }) => !exists).map(({ what }) => what),
      ['Domain new.example'],
    );
    assert.ok(after.steps.some(({ what }) => what === 'Administrator ada@acme.example'));
  });

  it('checks Ollama, and names the command for a missing model', async () => {
    const ollama = await startOllamaStandIn({ models: [] });
    try {
      const env = { ASSISTANT_OLLAMA_URL: ollama.url };
      const missing = await host.run(init, { ...password, ...env });
      assert.equal(missing.code, 0);
      assert.match(missing.stderr, /is not installed at .*\n +Run: assistant models pull/);
      const { models } = await host.json<InitReply>(['init', '--yes'], env);
      assert.deepEqual(models.filter(({ status }) => status === 'ok').length, 1);
    } finally {
      await ollama.stop();
    }
    const { code, stderr } = await host.run(init, { ASSISTANT_OLLAMA_URL: ollama.url });
    assert.equal(code, 0);
    assert.match(
      stderr,
      /Models: no Ollama answers at http:\S+\.\n +\S.*(?:ollama serve|OLLAMA_HOST)/,
    );
  });
});
