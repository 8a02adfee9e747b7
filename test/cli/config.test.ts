import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openPseudoTerminal } from '../support/pseudo-terminal.js';
import {
  hosted,
  makeInitialized,
  makeInstallation,
  program,
  type TestInstallation,
} from '../support/run-cli.js';

describe('assistant config', () => {
  let installation: TestInstallation;
  let file: string;
  beforeEach(async () => {
    installation = hosted(await makeInitialized());
    file = join(installation.folder, 'config.yaml');
  });
  afterEach(() => installation.remove());

  const run = (...args: string[]) => installation.run(['config', ...args]);

  it('gets the value of a setting and its source', async () => {
    assert.equal((await run('get', 'server.port')).stdout, '8080\n');
    await writeFile(file, 'server:\n  port: 9000\n');
    assert.equal((await run('get', 'server.port')).stdout, '9000\n');
    const read = (env: Record<string, string> = {}) =>
      installation.json(['config', 'get', 'server.port'], { env });
    const common = { key: 'server.port', masked: false, variable: 'ASSISTANT_SERVER_PORT' };
    assert.deepEqual(await read(), { ...common, value: 9000, from: 'file', line: 2 });
    assert.deepEqual(await read({ ASSISTANT_SERVER_PORT: '1' }), {
      ...{ ...common, value: 1, from: 'environment', line: 2 },
    });
    const { stdout } = await run('get', 'log');
    assert.match(stdout, /^log\.format +auto +default$/m);
    assert.match(stdout, /^log\.level +error +environment \(ASSISTANT_LOG_LEVEL\)$/m);
    assert.ok((await run('get')).stdout.split('\n').length > 90);
  });

  it('masks secrets, also in JSON, unless --reveal is given', async () => {
    await writeFile(
      file,
      'mail:\n  password: hunter2\nollama:\n  url: http://ada:hunter2@m.example\n',
    );
    for (const args of [['get', 'mail.password'], ['get'], ['explain', 'mail.password']]) {
      for (const more of [[], ['--json']]) {
        const { code, stdout } = await run(...args, ...more);
        assert.equal(code, 0);
        assert.doesNotMatch(stdout, /hunter2/, args.join(' '));
      }
    }
    assert.equal((await run('get', 'mail.password', '--reveal')).stdout, 'hunter2\n');
  });

  it('sets a value, and names processes that still run with the earlier one', async () => {
    const server = installation.start(['serve', '--port', '0']);
    await server.until(/serves at/);
    const { code, stdout, stderr } = await run('set', 'answers.max_passages', '5');
    assert.deepEqual([code, stdout], [0, `answers.max_passages is 5 now, in ${file}.\n`]);
    assert.match(
      stderr,
      new RegExp(`earlier value: assistant serve \\(process ${server.child.pid}`),
    );
    assert.match(await readFile(file, 'utf8'), /^ {2}max_passages: 5$/m);
    server.child.kill('SIGKILL');
    await server.ended;
    const again = await run('set', 'answers.max_passages', '5');
    assert.match(again.stdout, /is 5 already/);
    assert.doesNotMatch(again.stderr, /start/);
    const next = await run('set', 'log.level', 'warn');
    assert.match(next.stderr, /^ASSISTANT_LOG_LEVEL is set in this environment, and counts/m);
    assert.match(next.stderr, /counts from the next start/);
  });

  it('reads a value from standard input, and never prints a secret that it sets', async () => {
    const { code, stdout, stderr } = await installation.run(
      ['config', 'set', 'mail.password', '-', '--json'],
      { input: 'hunter2\n' },
    );
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stdout + stderr, /hunter2/);
    assert.equal((await run('get', 'mail.password', '--reveal')).stdout, 'hunter2\n');
  });

  it('asks for the value at a terminal, without showing a secret', async () => {
    const line = `${process.execPath} ${program} config set mail.password`;
    const terminal = openPseudoTerminal(line, installation.folder, {});
    try {
      await terminal.shows(/mail\.password:/);
      terminal.type('hunter2\r');
      assert.equal(await terminal.ended, 0);
      assert.doesNotMatch(terminal.screen(), /hunter2/);
    } finally {
      terminal.close();
    }
    assert.equal((await run('get', 'mail.password', '--reveal')).stdout, 'hunter2\n');
  });

  it('refuses unknown names with 3, invalid values with 2, and a missing value or file', async () => {
    for (const [args, expected, message] of [
      [['get', 'server.prot'], 3, /Did you mean server\.port\?/],
      [['set', 'server.prot', '1'], 3, /Did you mean server\.port\?/],
      [['explain', 'servr.port'], 3, /Did you mean server\.port\?/],
      [['set', 'server', '1'], 3, /a group, with: server\.host/],
      [['set', 'server.port', 'http'], 2, /expected a number/],
      [['set', 'server.port'], 2, /server\.port is missing/],
    ] as const) {
      const { code, stderr } = await run(...args);
      assert.equal(code, expected, args.join(' '));
      assert.match(stderr, message);
    }
    const empty = hosted(await makeInstallation());
    try {
      const { code, stderr } = await empty.run(['config', 'set', 'server.port', '1']);
      assert.deepEqual([code, /assistant init/.test(stderr)], [3, true]);
      assert.equal((await empty.run(['config', 'get', 'server.port'])).stdout, '8080\n');
      assert.equal((await empty.run(['config', 'validate'])).code, 0);
    } finally {
      await empty.remove();
    }
  });

  it('validates the file, and exits with 2 and the line and column of each problem', async () => {
    assert.equal((await run('validate')).stdout, `${file} is valid.\n`);
    await writeFile(file, 'server:\n  port: http\n  prot: 1\n');
    const { code, stderr } = await run('validate');
    assert.equal(code, 2);
    assert.match(stderr, /config\.yaml can't be used:/);
    assert.match(stderr, /server\.port: got "http"; expected a number \(line 2, column 9\)/);
    assert.match(stderr, /server\.prot: unknown key; .*server\.port\? \(line 3, column 3\)/);
    const { error } = await installation.json<{ error: { errors: object[] } }>([
      ...['config', 'validate'],
    ]);
    assert.deepEqual(error.errors[1], {
      ...{ path: 'server.prot', message: 'unknown key; did you mean server.port?' },
      ...{ line: 3, column: 3 },
    });
    const repaired = await run('set', 'server.port', '80');
    assert.equal(repaired.code, 0);
    assert.match(repaired.stderr, /Other settings .*assistant config validate/);
  });

  it('explains a setting, even if the configuration is invalid', async () => {
    const explained = await installation.json<Record<string, unknown>>([
      ...['config', 'explain', 'server.drain_timeout_ms'],
    ]);
    assert.deepEqual(
      [explained['unit'], explained['default'], explained['value'], explained['from']],
      ['milliseconds', 15_000, 15_000, 'file'],
    );
    assert.match(String(explained['meaning']), /^How long running requests may go on/);
    await writeFile(file, 'server:\n  port: http\n');
    const { code, stdout, stderr } = await run('explain', 'log.format');
    assert.equal(code, 0);
    assert.match(stdout, /^ {2}takes +one of auto, json, text$/m);
    assert.match(stdout, /^ {2}environment +ASSISTANT_LOG_FORMAT$/m);
    assert.match(stderr, /assistant config validate/);
    assert.match(
      (await run('explain', 'limits')).stdout,
      /^limits\.body_mb_at_once +MB of bodies/m,
    );
  });
});
