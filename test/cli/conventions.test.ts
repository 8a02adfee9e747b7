import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { allCommands, treeOf } from '../../src/main/command-tree.js';
import { createProgram } from '../../src/main/create-program.js';
import { doctorReply } from '../../src/operations/doctor.schema.js';
import { packageRoot } from '../../src/platform/package-root.js';
import {
  hosted,
  makeInitialized,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';

const main = join(packageRoot(), 'dist', 'src', 'main', 'run-program.js');
const nothing = () => Promise.resolve();
const commands = treeOf(
  createProgram({ withApp: nothing, withConfig: nothing, withTerminal: nothing }),
)
  .commands.flatMap(allCommands)
  .filter(({ examples }) => examples.length > 0)
  .map(({ path }) => path);

interface Help {
  command: string;
  code: number;
  stdout: string;
}

/** The help of each command, from one process, because starting one takes longer than printing all help. */
async function helpOf(commands: readonly string[]): Promise<Help[]> {
  const script = `
    import { runProgram } from ${JSON.stringify(pathToFileURL(main).href)};
    const write = process.stdout.write.bind(process.stdout);
    const all = [];
    for (const command of ${JSON.stringify(commands)}) {
      let stdout = '';
      process.stdout.write = (text) => (stdout += text) !== undefined;
      process.exitCode = 0;
      await runProgram([...command.split(' '), '--help']);
      all.push({ command, code: process.exitCode, stdout });
    }
    process.exitCode = 0;
    write(JSON.stringify(all));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--input-type=module', '--no-warnings', '--eval', script],
  ]);
  return JSON.parse(stdout) as Help[];
}

describe('The program', () => {
  let installation: TestInstallation;
  let host: Host;
  before(async () => {
    installation = await makeInitialized();
    host = startHost(installation);
  });
  after(async () => {
    await host.stop();
    await installation.remove();
  });

  it('explains every command with examples', async () => {
    const all = await helpOf(commands);
    assert.equal(all.length, commands.length);
    for (const { command, code, stdout } of all) {
      assert.equal(code, 0, command);
      assert.match(stdout, new RegExp(`^Usage: assistant ${command}`));
      assert.match(stdout, /\nExamples:\n {2}\S/, command);
      assert.match(stdout, /--json/, command);
    }
  });

  it('exits with 2 and a suggestion for a usage error, on standard error only', async () => {
    const cases: [string[], RegExp][] = [
      [['knowlege'], /unknown command 'knowlege'\n\(Did you mean knowledge\?\)/],
      [['batches', 'aprove'], /Did you mean approve\?/],
      [['tokens', 'rotate'], /unknown command 'rotate'\n\(Did you mean rotate-key\?\)/],
      [['knowledge', 'rm', '7'], /Did you mean delete\?/],
      [['keys', 'wobble'], /\(There are: list, create, revoke, rotate, snippet\)/],
      [['knowledge', 'list', '--stauts', 'draft'], /Did you mean --status\?/],
      [
        ['knowledge', 'list', '--status', 'drft'],
        /allowed are draft, published.*Did you mean draft\?/,
      ],
      [['knowledge', 'list', '--limit', '-3'], /--limit/],
      [['batches', 'show'], /missing required argument 'batch'/],
    ];
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await host.run(args);
      assert.equal(code, 2, args.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, message);
    }
  });

  it('accepts -h as --help', async () => {
    for (const args of [['-h'], ['keys', '-h'], ['keys', 'list', '-h']]) {
      const { code, stdout } = await host.run(args);
      assert.equal(code, 0, args.join(' '));
      assert.match(stdout, /^Usage: assistant /);
    }
  });

  it('exits with 4 if a command is refused', async () => {
    const taken = ['users', 'create', '--email', 'ADA@acme.example'];
    const { code, stderr } = await host.run(taken, { ASSISTANT_PASSWORD: 'correct horse' });
    assert.equal(code, 4);
    assert.match(stderr, /account for ADA@acme\.example already/);
  });

  it('names every fault in the configuration, with suggestions', async () => {
    const file = join(installation.folder, 'wrong.yaml');
    await writeFile(
      file,
      'server:\n  prot: 80\nanswers:\n  mode: atuo\ningestion:\n  threads: many\n',
    );
    const { code, stderr } = await host.run(['--config', file, 'doctor']);
    assert.equal(code, 2);
    assert.match(stderr, /server\.prot: unknown key; did you mean server\.port\?/);
    assert.match(
      stderr,
      /answers\.mode: got "atuo"; allowed are auto, ollama, extractive; did you mean auto\?/,
    );
    assert.match(stderr, /ingestion\.threads: got "many"; expected a number/);
  });

  it('refuses a configuration file that does not exist, and names its path', async () => {
    const named = ['doctor', 'demo --exit', 'status', 'config validate', 'config get server.port'];
    const everywhere = [...named, 'config explain', 'logs', 'ask x', 'service install --dry-run'];
    for (const command of everywhere) {
      const { code, stderr } = await host.run(['--config', 'none.yaml', ...command.split(' ')]);
      assert.equal(code, 2, `${command}: ${stderr}`);
      assert.match(stderr, /There is no configuration file at .*none\.yaml/, command);
    }
    const { code, stderr } = await host.run(['doctor'], { ASSISTANT_CONFIG: 'none.yaml' });
    assert.equal(code, 2);
    assert.match(stderr, /There is no configuration file at .*none\.yaml/);
  });

  it('reports a port in use, and names the setting', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as AddressInfo;
    const { code, stderr } = await installation.run(['serve', '--port', String(port)]);
    blocker.close();
    assert.equal(code, 4);
    assert.match(stderr, /in use.*server\.port \(ASSISTANT_SERVER_PORT\)/);
  });
});

describe('An installation', () => {
  it('gets a new domain from a second init, which refuses another organization or app', async () => {
    const installation = hosted(await makeInitialized());
    try {
      const more = await installation.json<{ steps: { what: string; done: boolean }[] }>([
        'init',
        '--yes',
        '--domain',
        'shop.acme.example',
      ]);
      assert.deepEqual(
        more.steps.filter((step) => step.done).map((step) => step.what),
        ['Domain shop.acme.example'],
      );
      const other = await installation.run(['init', '--yes', '--organization', 'Globex']);
      assert.match(other.stderr, /"Globex" was not used/);
      // Otherwise the domain's pages would show knowledge of the wrong organization.
      for (const [name, option] of [
        ['Globex', '--organization'],
        ['Shop', '--app'],
      ] as const) {
        const domain = ['--domain', 'globex.example'];
        const { code, stderr } = await installation.run(['init', '--yes', option, name, ...domain]);
        assert.equal(code, 4, stderr);
        assert.match(stderr, new RegExp(`not "${name}", so globex\\.example was not registered`));
      }
      const { stdout: domains } = await installation.run(['domains', 'list']);
      assert.doesNotMatch(domains, /globex/);
      const { checks } = doctorReply.parse(await installation.json<unknown>(['doctor']));
      assert.deepEqual(
        checks.filter(({ status }) => status !== 'ok').map(({ name }) => name),
        ['ollama'],
      );
      assert.equal((await installation.run(['migrate'])).stdout, 'The database is up to date.\n');
    } finally {
      await installation.remove();
    }
  });

  it('refuses a database of a newer version', async () => {
    const installation = hosted(await makeInitialized());
    try {
      const { openSqlite } = await import('../../src/platform/db/open-sqlite.js');
      const db = openSqlite(join(installation.folder, 'data', 'assistant.sqlite'), 1, []);
      await db('schema_migrations').insert({
        name: '9999-from-the-future',
        batch: 9,
        migration_time: 0,
      });
      await db.destroy();
      const { code, stderr } = await installation.run(['knowledge', 'list']);
      assert.equal(code, 4);
      assert.match(stderr, /newer version.*9999-from-the-future/);
    } finally {
      await installation.remove();
    }
  });
});
