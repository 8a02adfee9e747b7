import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allCommands, treeOf } from '../../src/main/command-tree.js';
import { bashCompletion } from '../../src/main/completion-bash.js';
import { fishCompletion } from '../../src/main/completion-fish.js';
import { zshCompletion } from '../../src/main/completion-zsh.js';
import { createProgram } from '../../src/main/create-program.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const tree = treeOf(
  createProgram({ withApp: () => Promise.resolve(), withConfig: () => Promise.resolve() }),
);
/** What is typed, and what a shell is to offer for its last word. */
const cases: [words: string[], offered: string[]][] = [
  [['knowl'], ['knowledge']],
  [['knowledge', 'ex'], ['export']],
  [
    ['knowledge', 'list', '--status', ''],
    ['draft', 'published'],
  ],
  [['knowledge', 'list', '--stat'], ['--status']],
  [['knowledge', 'list', '--js'], ['--json']],
  // The value of an option is no command, even where it is called like one.
  [['--org', 'knowledge', 'batc'], ['batches']],
  [['knowledge', 'list', '--page', ''], []],
  [['knowledge', 'import', 'an'], ['an export.jsonl']],
  [['--config', 'an'], ['an export.jsonl']],
  [['completion', 'f'], ['fish']],
  [['knowledge', 'nonsense', 'zq'], []],
];

/** Shells that this machine has: bash is everywhere where the tests run, the others may be missing. */
function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}

describe('Completions', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  before(async () => {
    folder = await makeTemporaryFolder();
    await writeFile(join(folder.path, 'an export.jsonl'), '');
  });
  after(() => folder.remove());

  const offersOf = async (shell: string, script: string) => {
    const file = join(folder.path, `try.${shell}`);
    await writeFile(file, script);
    const { stdout } = await run(shell, [file], { cwd: folder.path });
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

  it('are offered by bash, with options, their values, and files', async () => {
    const tries = cases.map(([words]) => {
      const typed = words.map((word) => `'${word}'`).join(' ');
      return `COMP_WORDS=(assistant ${typed}); COMP_CWORD=${words.length}; _assistant
        for one in "\${COMPREPLY[@]}"; do echo "$one"; done; echo =====`;
    });
    const strict = 'set -u\n';
    check(await offersOf('bash', strict + bashCompletion(tree) + tries.join('\n')));
    const equals = `COMP_WORDS=(assistant knowledge list --status = dr); COMP_CWORD=5; _assistant
      echo "\${COMPREPLY[@]}"; echo =====`;
    assert.deepEqual(await offersOf('bash', bashCompletion(tree) + equals), [['draft']]);
  });

  it('are offered by fish in the same way, where it is installed, and read by zsh', async () => {
    if (isInstalled('fish')) {
      const tries = cases.map(([words]) => {
        const line = ['assistant', ...words].join(' ');
        return `complete -C '${line}' | string split -f 1 \\t | string unescape; echo =====`;
      });
      check(await offersOf('fish', fishCompletion(tree) + tries.join('\n')));
    }
    if (isInstalled('zsh')) {
      const file = join(folder.path, 'completion.zsh');
      await writeFile(file, zshCompletion(tree));
      await run('zsh', ['-n', file]);
    }
    for (const script of [zshCompletion(tree), fishCompletion(tree), bashCompletion(tree)]) {
      for (const { path } of allCommands(tree)) assert.ok(script.includes(`'${path}'`), path);
      assert.doesNotMatch(script, /undefined|\[object/);
    }
  });
});
