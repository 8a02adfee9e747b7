import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  hosted,
  makeInitialized,
  makeInstallation,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';

const password = { env: { ASSISTANT_PASSWORD: 'correct horse' } };

describe('The output of a command', () => {
  let installation: TestInstallation;
  let host: Host;
  let batch: string;
  let entry: string;
  before(async () => {
    installation = await makeInitialized();
    host = startHost(installation);
    await writeFile(join(installation.folder, 'manual.pdf'), await sampleManual(2));
    await writeFile(join(installation.folder, 'bad.pdf'), '%PDF-1.7 cut off');
    await host.run(['ingest', '.', '--approve']);
    const { data } = await host.json<{ data: { id: string; status: string }[] }>([
      ...['batches', 'list', '--status', 'failed'],
    ]);
    batch = data[0]?.id ?? '';
    const entries = await host.json<{ data: { id: string }[] }>(['knowledge', 'list']);
    entry = entries.data[0]?.id ?? '';
  });
  after(async () => {
    await host.stop();
    await installation.remove();
  });

  /** Each command once, in an order in which each has a result. */
  const commands = (): [string[], 0 | 1 | 5][] => [
    [['init', '--yes'], 0],
    [['ingest', '.'], 5],
    [['batches', 'list'], 0],
    [['batches', 'show', batch], 0],
    [['batches', 'approve', batch, '--all'], 0],
    [['batches', 'retry', batch], 0],
    [['worker', '--once'], 0],
    [['batches', 'delete', batch, '--yes'], 0],
    [['knowledge', 'list'], 0],
    [['knowledge', 'show', entry], 0],
    [['knowledge', 'create', '--title', 'T', '--content', 'C', '--domain', 'new.example'], 0],
    [['knowledge', 'search', 'pump', 'valve'], 0],
    [['knowledge', 'edit', entry, '--title', 'Another'], 0],
    [['knowledge', 'history', entry], 0],
    [['knowledge', 'delete', entry, '--yes'], 0],
    [['ask', 'What does the drum take?'], 0],
    [['users', 'create', '--email', 'ben@acme.example'], 0],
    [['users', 'disable', 'ben@acme.example', '--yes'], 0],
    [['users', 'enable', 'ben@acme.example'], 0],
    [['orgs', 'create', '--name', 'Globex'], 0],
    [['orgs', 'edit', 'globex', '--name', 'Globexia'], 0],
    [['orgs', 'list'], 0],
    [['orgs', 'delete', 'globex', '--yes'], 0],
    [['apps', 'create', '--name', 'Shop'], 0],
    [['apps', 'edit', 'Shop', '--default-visibility', 'internal'], 0],
    [['apps', 'list'], 0],
    [['domains', 'create', '--host', 'shop.example', '--app', 'Shop'], 0],
    [['domains', 'edit', 'shop.example', '--app', '1'], 0],
    [['domains', 'list'], 0],
    [['domains', 'delete', 'shop.example', '--yes'], 0],
    [['views', 'create', '--path', '/cart', '--title', 'Cart'], 0],
    [['views', 'edit', '1', '--title', 'Basket'], 0],
    [['views', 'list'], 0],
    [['views', 'delete', '1', '--yes'], 0],
    [['apps', 'delete', 'Shop', '--yes'], 0],
    [['users', 'list'], 0],
    [['users', 'edit', 'ben@acme.example', '--name', 'Ben'], 0],
    [['users', 'reset-password', 'ben@acme.example'], 0],
    [['users', 'unlink', 'ben@acme.example', '--yes'], 0],
    [['users', 'delete', 'ben@acme.example', '--yes'], 0],
    [['tokens', 'create', '--user', 'ada@acme.example', '--name', 'ci'], 0],
    [['tokens', 'list'], 0],
    [['tokens', 'revoke', '1', '--yes'], 0],
    [['tokens', 'rotate-key'], 0],
    [['keys', 'create', '--name', 'site'], 0],
    [['keys', 'list'], 0],
    [['keys', 'rotate', '1', '--overlap', '0'], 0],
    [['keys', 'snippet', '1'], 0],
    [['keys', 'revoke', '1', '--yes'], 0],
    [['requests', 'list'], 0],
    [['usage'], 0],
    [['audit', 'list'], 0],
    [['audit', 'visibility'], 0],
    [['reindex', '--status'], 0],
    [['knowledge', 'export', 'all.jsonl'], 0],
    [['knowledge', 'import', 'all.jsonl', '--dry-run'], 0],
    [['eval', 'add', '--all', '--file', 'questions.jsonl'], 0],
    [['backup', 'all.tar.gz', '--keep', '3'], 0],
    [['backup', 'list'], 0],
    [['backup', 'verify', 'all.tar.gz'], 0],
    [['completion', 'bash'], 0],
    [['doctor'], 0],
    [['status'], 1],
    [['open', 'docs', '--print'], 0],
    [['config', 'get'], 0],
    [['config', 'explain', 'log'], 0],
    [['config', 'set', 'log.level', 'warn'], 0],
    [['config', 'validate'], 0],
    [['doctor', '--repair', '--dry-run'], 0],
    [['upgrade'], 0],
    [['upgrade', '--check'], 0],
  ];

  it('is one JSON document on standard output with --json', async () => {
    for (const [args, expected] of commands()) {
      const { code, stdout, stderr } = await host.run([...args, '--json', '--quiet'], password.env);
      assert.equal(code, expected, `${args.join(' ')}: ${stderr}`);
      assert.equal(stderr, '', `${args.join(' ')}: --quiet leaves only the result`);
      const document: unknown = JSON.parse(stdout);
      assert.ok(typeof document === 'object' && document !== null, args.join(' '));
    }
  });

  it('is text without --json, and only the result with --quiet', async () => {
    const readers = [
      ['batches', 'list'],
      ['knowledge', 'list'],
      ['knowledge', 'search', 'pump', 'valve'],
      ['ask', 'What does the pump valve take?'],
      ['doctor'],
      ['upgrade'],
    ];
    for (const args of readers) {
      const { code, stdout, stderr } = await host.run([...args, '--quiet']);
      assert.equal(code, 0, args.join(' '));
      assert.match(stdout, /^[a-z0-9]/i, 'a table or a sentence');
      assert.equal(stderr, '', args.join(' '));
    }
  });

  it('contains errors as JSON too, including usage errors', async () => {
    const cases: [string[], number, string][] = [
      [['knowledge', 'list', '--stauts', 'draft'], 2, 'usage'],
      [['knowledge', 'list', '--status', 'drft'], 2, 'usage'],
      [['knowlege'], 2, 'usage'],
      [['serve', '--port', '65536'], 2, 'usage'],
      [['ask'], 2, 'usage'],
      [['knowledge', 'show', 'nothing'], 3, 'not_found'],
      [['--org', 'acmee', 'knowledge', 'list'], 3, 'not_found'],
      [
        ['knowledge', 'create', '--title', 'T', '--domain', 'a.example', '--file', 'no.md'],
        3,
        'not_found',
      ],
    ];
    for (const [args, expected, errorCode] of cases) {
      const { code, stdout, stderr } = await host.run([...args, '--json']);
      const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
      assert.deepEqual([code, error.code], [expected, errorCode], args.join(' '));
      assert.ok(stderr.includes(error.message.split('\n')[0] ?? '?'), stderr);
      assert.ok(!/\n\s+at /.test(stderr), `no stack: ${stderr}`);
    }
    const bare = await host.run(['batches', '--json']);
    assert.match(bare.stdout, /^\{[\s\S]*"usage"/, 'even with the help on standard error');
    const { stderr } = await host.run(['--org', 'acmee', 'knowledge', 'list']);
    assert.match(stderr, /no organization acmee\. Did you mean acme\?/);
  });

  it('can be cut off by its reader without an error', async () => {
    const running = installation.start(['knowledge', 'list', '--json']);
    running.child.stdout?.destroy();
    const { code, stderr } = await running.ended;
    assert.equal(code, 0);
    assert.doesNotMatch(stderr, /EPIPE/);
  });
});

describe('A command', () => {
  let installation: TestInstallation;
  beforeEach(async () => (installation = hosted(await makeInstallation())));
  afterEach(() => installation.remove());

  it('does not wait for standard input that stays open', async () => {
    const { ended } = installation.start(['init'], {}, 'open');
    const { code, stderr } = await ended;
    assert.equal(code, 2);
    assert.match(stderr, /--email/);
  });

  it('changes nothing before the set-up, and names assistant init', async () => {
    const commands = [
      'knowledge list',
      'batches list',
      'ask x',
      'ingest x.pdf',
      'upgrade',
      'upgrade --check',
      'doctor --repair',
      'serve --port 0',
      'worker --once',
    ];
    for (const command of commands) {
      const { code, stderr } = await installation.run(command.split(' '));
      assert.equal(code, 3, command);
      assert.match(stderr, /assistant init/, command);
    }
    const doctor = await installation.json<{ checks: { status: string }[] }>(['doctor']);
    assert.ok(doctor.checks.some(({ status }) => status === 'failed'));
    assert.deepEqual(await readdir(installation.folder), []);
  });

  it('sets up everything or nothing (init)', async () => {
    const wrong = ['init', '--yes', '--organization', 'Wrong', '--domain', 'docs.acme.example'];
    assert.equal((await installation.run(wrong)).code, 2);
    const short = { env: { ASSISTANT_PASSWORD: 'short' } };
    assert.equal((await installation.run([...wrong, '--email', 'a@b.example'], short)).code, 2);
    const noHost = [
      ...wrong.slice(0, 4),
      '--domain',
      'https://a.example',
      '--email',
      'a@b.example',
    ];
    assert.equal((await installation.run(noHost, password)).code, 2);
    assert.deepEqual(await readdir(installation.folder), []);
    const right = ['init', '--yes', '--organization', 'Right', '--email', 'a@b.example'];
    const { stdout, stderr } = await installation.run(right, password);
    assert.match(stdout, /^made: {4}Organization Right$/m);
    assert.match(stdout, /^made: {4}Administrator a@b\.example$/m);
    assert.match(stdout, /^made: {4}Widget key wk_live_[0-9a-f]{32}$/m);
    assert.match(stderr, /<script src="http:\S+" integrity="sha384-\S+" crossorigin="anonymous"/);
    const again = await installation.run(right, password);
    assert.match(again.stdout, /^exists: {2}Widget key wk_live_[0-9a-f]{32}$/m);
  });

  it('reads its configuration from --config or ASSISTANT_CONFIG, with paths relative to that file', async () => {
    const init = ['init', '--yes', '--email', 'a@b.example'];
    for (const name of ['one', 'two']) {
      const args = [...init, '--organization', name, '--config', `${name}/assistant.yaml`];
      assert.equal((await installation.run(args, password)).code, 0);
      assert.ok((await readdir(join(installation.folder, name))).includes('data'));
    }
    const env = { ASSISTANT_CONFIG: 'one/assistant.yaml' };
    const named = async (args: string[]) => {
      const { checks } = await installation.json<{ checks: { name: string }[] }>(
        ['doctor', ...args],
        { env },
      );
      return checks.map(({ name }) => name).find((name) => name.startsWith('organization '));
    };
    assert.equal(await named([]), 'organization one');
    assert.equal(await named(['--config', 'two/assistant.yaml']), 'organization two');
  });

  it('warns and serves if there is no organization yet (serve)', async () => {
    await writeFile(join(installation.folder, 'config.yaml'), '');
    const server = installation.start(['serve', '--port', '0', '--json']);
    const [line] = await server.until(/^\{.*\}\n/);
    const { url } = JSON.parse(line) as { url: string };
    assert.equal((await fetch(`${url}/health/live`)).status, 200);
    server.child.kill('SIGTERM');
    const { code, stdout, stderr } = await server.ended;
    assert.equal(code, 0);
    assert.equal(stdout, line, 'only one document');
    assert.match(stderr, /no organization yet.*assistant init/);
  });
});
