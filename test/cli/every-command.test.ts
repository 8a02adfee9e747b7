import assert from 'node:assert/strict';
import { allCommands, treeOf, type CommandNode } from '../../src/main/command-tree.js';
import { createProgram } from '../../src/main/create-program.js';
import {
  makeInitialized,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';

const nothing = () => Promise.resolve();
const cli = { withApp: nothing, withConfig: nothing, withTerminal: nothing };
const whole = createProgram(cli);
const program = treeOf(whole);
/** Commands have examples. Groups have none, and print their help. */
const commands = program.commands.flatMap(allCommands).filter((one) => one.examples.length > 0);
const groups = program.commands.flatMap(allCommands).filter((one) => one.examples.length === 0);

/** The option with two swapped letters, such as `--visiblity`. */
function mistyped(option: string): string {
  const at = Math.max(2, option.length - 3);
  return `${option.slice(0, at)}${option[at + 1] ?? ''}${option[at] ?? ''}${option.slice(at + 2)}`;
}

/** An option of the command that differs from its mistyped form, or else a common option. */
function someOption({ options }: CommandNode): string {
  const own = options.map(({ name }) => name).filter((name) => name !== '--help');
  return own.find((name) => mistyped(name) !== name) ?? '--config';
}

/** The error in the JSON output. */
function errorIn(stdout: string): { code: string; message: string } {
  return (JSON.parse(stdout) as { error: { code: string; message: string } }).error;
}

describe('Every command', () => {
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

  it('belongs to a group that lists its commands and exits with 2', async () => {
    assert.ok(commands.length > 60, `${commands.length} commands`);
    for (const { path, commands: below } of groups) {
      assert.ok(below.length > 0, path);
      const { code, stdout } = await host.run([...path.split(' '), '--json']);
      assert.equal(code, 2, path);
      assert.equal(errorIn(stdout).code, 'usage', path);
    }
  });

  it('is loaded without the others, except for the completion, which reads them all', () => {
    for (const command of whole.commands) {
      for (const word of [command.name(), ...command.aliases()]) {
        const { commands } = createProgram(cli, word);
        const same = commands.filter((one) => one.name() === command.name());
        assert.deepEqual(
          same.map((one) => treeOf(one)),
          [treeOf(command)],
        );
        const isReader = ['completion', 'complete'].includes(word);
        assert.equal(commands.length === whole.commands.length, isReader, word);
      }
    }
  });

  it('has a help that fits 80 columns, except for its examples', async () => {
    const nodes = [program, ...program.commands.flatMap(allCommands)];
    for (const { path } of nodes) {
      const { code, stdout } = await host.run([...path.split(' ').filter(Boolean), '--help']);
      assert.equal(code, 0, path);
      const [help = '', after = ''] = stdout.split('\nExamples:\n');
      const answer = after.split('\n\nWith --json:\n')[1] ?? '';
      for (const line of [...help.split('\n'), ...answer.split('\n')]) {
        assert.ok(line.length <= 80, `${path}: ${line}`);
      }
    }
  });

  it('documents its answer to --json', () => {
    const silent = commands.filter(({ answer }) => answer === undefined);
    assert.deepEqual(
      silent.map(({ path }) => path),
      [],
    );
  });

  it('names an unknown option and suggests the right one, also in JSON', async () => {
    for (const command of commands) {
      const option = someOption(command);
      const wrong = mistyped(option);
      const { code, stdout, stderr } = await host.run([
        ...[...command.path.split(' '), wrong, '--json'],
      ]);
      assert.equal(code, 2, command.path);
      const { code: kind, message } = errorIn(stdout);
      assert.equal(kind, 'usage', command.path);
      for (const text of [message, stderr]) {
        assert.ok(text.includes(`unknown option '${wrong}'`), `${command.path}: ${text}`);
        assert.match(text, /Did you mean --[a-z-]+\?/, `${command.path} ${wrong}: ${text}`);
      }
    }
  });

  it('names a missing argument', async () => {
    const lacking = commands.filter(({ parameters }) => parameters[0]?.usage.startsWith('<'));
    assert.ok(lacking.length > 20);
    for (const { path, parameters } of lacking) {
      const { code, stdout } = await host.run([...path.split(' '), '--json']);
      const name = parameters[0]?.usage.replaceAll(/[<>]|\.\.\./g, '') ?? '';
      assert.deepEqual([code, errorIn(stdout).code], [2, 'usage'], path);
      assert.ok(errorIn(stdout).message.includes(`missing required argument '${name}'`), path);
    }
  });

  it('asks for nothing without a terminal, and names the missing option', async () => {
    const missing: [string, RegExp][] = [
      ['ask', /the question/],
      ['users create', /--email/],
      ['people export ada@acme.example', /--out/],
      ['users create --email x@acme.example', /ASSISTANT_PASSWORD/],
      ['users edit ada@acme.example', /--email or --name or --role/],
      ['users reset-password ada@acme.example', /ASSISTANT_PASSWORD/],
      ['tokens create --json', /--user/],
      ['tokens create --json --user ada@acme.example', /--name/],
      ['tokens create --user ada@acme.example --name x', /--secret-file .*--json/],
      ['keys create --json', /--name/],
      ['keys create --name x', /--secret-file .*--json/],
      ['keys rotate 1', /--secret-file .*--json/],
      ['knowledge create', /--title/],
      ['knowledge create --title x', /--domain/],
      ['knowledge create --title x --domain docs.acme.example', /--content or --file/],
      ['orgs create', /--name/],
      ['orgs edit acme', /--name/],
      ['apps create', /--name/],
      ['apps edit 1', /--name or --default-visibility/],
      ['domains create', /--host/],
      ['domains edit docs.acme.example', /--app/],
      ['views create', /--path/],
      ['views create --path /x', /--title/],
      ['eval add --file x.jsonl', /--all/],
      ['batches approve x', /--all/],
      ['login', /--server/],
      ['logout', /--server/],
    ];
    for (const [line, message] of missing) {
      const { code, stderr } = await host.run(line.split(' '));
      assert.equal(code, 2, `${line}: ${stderr}`);
      assert.match(stderr, message, line);
    }
  });

  it('exits with 3 if its object is missing, also in JSON', async () => {
    const lost = [
      'knowledge show 99',
      'knowledge edit 99 --title X',
      'knowledge delete 99 --yes',
      'knowledge history 99',
      'knowledge import none.jsonl',
      'batches show 99',
      'batches approve 99 --all',
      'batches replace 99 text',
      'batches delete 99 --yes',
      'batches retry 99',
      'requests show 99',
      'requests resolve 99 --response X',
      'requests dismiss 99 --yes',
      'orgs edit none --name X',
      'orgs delete none --yes',
      'apps edit none --name X',
      'apps delete none --yes',
      'domains edit none.example --app 1',
      'domains delete none.example --yes',
      'views list --app none',
      'views edit 99 --title X',
      'views delete 99 --yes',
      'users edit nobody@acme.example --role admin',
      'users disable nobody@acme.example --yes',
      'users delete nobody@acme.example --yes',
      'users unlink nobody@acme.example --yes',
      'tokens create --user nobody@acme.example --name x',
      'tokens revoke 99 --yes',
      'keys revoke 99 --yes',
      'keys rotate 99',
      'keys snippet 99',
      'eval none.jsonl',
      'backup verify none.tar.gz',
      'restore none.tar.gz --yes',
      'ingest none.pdf',
      'ask --conversation 0b5c0d6e-6f0f-4a54-9e0a-0d3b9a4f3c11 hello',
      '--org none users list',
    ];
    for (const line of lost) {
      const { code, stdout, stderr } = await host.run([...line.split(' '), '--json']);
      assert.equal(code, 3, `${line}: ${stderr}`);
      const { error } = JSON.parse(stdout) as { error?: { code: string } };
      if (error !== undefined) assert.equal(error.code, 'not_found', line);
      else assert.match(line, /^ingest/, 'ingest reports an error for each file');
    }
  });
});
