import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeInitialized, program, type TestInstallation } from '../support/run-cli.js';

const run = promisify(execFile);
/** Typed words, and the expected offers for the last one. */
const cases: [words: string[], offered: string[]][] = [
  [['knowl'], ['knowledge']],
  [['knowledge', 'ex'], ['export']],
  [
    ['knowledge', 'list', '--status', ''],
    ['draft', 'published'],
  ],
  [['knowledge', 'list', '--stat'], ['--status']],
  [['knowledge', 'list', '--js'], ['--json']],
  // The value of an option is not a command, even if it has a command's name.
  [['--org', 'knowledge', 'batc'], ['batches']],
  [['knowledge', 'list', '--page', ''], []],
  [['knowledge', 'import', 'an'], ['an export.jsonl']],
  [['--config', 'an'], ['an export.jsonl']],
  [['completion', 'f'], ['fish']],
  [
    ['config', 'get', 'server.p'],
    ['server.port', 'server.public_url'],
  ],
  [
    ['config', 'set', 'log.format', ''],
    ['auto', 'json', 'text'],
  ],
  [['knowledge', 'nonsense', 'zq'], []],
  // These names come from the database.
  [['users', 'disable', ''], ['ada@acme.example']],
  [['domains', 'list', '--app', 'Do'], ['Docs']],
  [['domains', 'delete', 'docs.'], ['docs.acme.example']],
  [['--org', ''], ['acme']],
  [['--org', 'other', 'domains', 'delete', ''], []],
];

describe('Completions', () => {
  let installation: TestInstallation;
  let path: string;
  before(async () => {
    installation = await makeInitialized();
    path = `${installation.folder}:${process.env['PATH']}`;
    await symlink(program, join(installation.folder, 'assistant'));
    await writeFile(join(installation.folder, 'an export.jsonl'), '');
    await installation.run(['apps', 'edit', '1', '--name', 'Docs']);
  });
  after(() => installation.remove());

  const inFolder = (env: NodeJS.ProcessEnv = {}) => ({
    cwd: installation.folder,
    env: { ...process.env, PATH: path, ...env },
  });
  /** True if the machine has the shell. Every machine has bash; the others can be missing. */
  const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0;
  const scriptFor = async (shell: string) => (await installation.run(['completion', shell])).stdout;
  const offersOf = async (shell: string, script: string) => {
    const file = join(installation.folder, `try.${shell}`);
    await writeFile(file, script);
    const { stdout } = await run(shell, [file], inFolder());
    return stdout
      .split('=====\n')
      .slice(0, -1)
      .map((lines) => lines.split('\n').filter((line) => line !== ''));
  };
  const check = (offers: string[][]) => {
    assert.equal(offers.length, cases.length);
    for (const [index, [words, offered]] of cases.entries()) {
      assert.deepEqual(offers[index], offered, words.join(' '));
    }
  };

  it('are offered by bash for commands, options, values, files, and names in the database', async () => {
    const tries = cases.map(([words]) => {
      const typed = words.map((word) => `'${word}'`).join(' ');
      return `COMP_WORDS=(assistant ${typed}); COMP_CWORD=${words.length}; _assistant
        for one in "\${COMPREPLY[@]}"; do echo "$one"; done; echo =====`;
    });
    const script = await scriptFor('bash');
    check(await offersOf('bash', `set -u\n${script}${tries.join('\n')}`));
    const equals = `COMP_WORDS=(assistant knowledge list --status = dr); COMP_CWORD=5; _assistant
      echo "\${COMPREPLY[@]}"; echo =====`;
    assert.deepEqual(await offersOf('bash', script + equals), [['draft']]);
  });

  it('are offered by fish in the same way, if it is installed', async () => {
    if (!isInstalled('fish')) return;
    const tries = cases.map(([words]) => {
      const line = ['assistant', ...words].join(' ');
      return `complete -C '${line}' | string split -f 1 \\t | string unescape; echo =====`;
    });
    check(await offersOf('fish', (await scriptFor('fish')) + tries.join('\n')));
  });

  it('are loaded by a zsh without other completions, if it is installed', async () => {
    if (!isInstalled('zsh')) return;
    const line = 'source <(assistant completion zsh) && (( $+functions[compdef] )) && echo read';
    const { stdout, stderr } = await run(
      'zsh',
      ['-f', '-c', line],
      inFolder({ HOME: installation.folder }),
    );
    assert.deepEqual([stdout, stderr], ['read\n', '']);
  });

  it('offer no names without an installation', async () => {
    const { stdout } = await run(
      process.execPath,
      [program, 'complete', '--', 'apps', 'edit', ''],
      {
        ...inFolder({ ASSISTANT_DATABASE_PATH: join(installation.folder, 'none.sqlite') }),
      },
    );
    assert.equal(stdout, '');
  });
});
