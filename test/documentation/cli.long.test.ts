import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { referencePath, renderCli } from '../../docs/cli/render-cli.js';
import { allCommands, treeOf } from '../../src/main/command-tree.js';
import { createProgram } from '../../src/main/create-program.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { hosted, makeInitialized, type TestInstallation } from '../support/run-cli.js';
import { checkLinks } from './read-page.js';

const nothing = () => Promise.resolve();
/** The shape of each command's answer, as its help states it. */
const answers = new Map(
  allCommands(
    treeOf(createProgram({ withApp: nothing, withConfig: nothing, withTerminal: nothing })),
  ).map(({ path, answer }) => [path, answer]),
);

/** Commands that succeed on a new installation, in this order. */
const tried: [command: string, ...args: string[]][] = [
  ['knowledge create', '--title', 'T', '--content', 'Text.', '--domain', 'docs.acme.example'],
  ['knowledge list'],
  ['knowledge export', 'out.jsonl'],
  ['knowledge import', 'out.jsonl'],
  ['knowledge import', 'out.jsonl', '--dry-run'],
  ['knowledge search', 'text'],
  ['batches list'],
  ['requests list'],
  ['users list'],
  ['tokens create', '--user', 'ada@acme.example', '--name', 'ci'],
  ['tokens list'],
  ['orgs list'],
  ['apps list'],
  ['domains list'],
  ['views list'],
  ['keys list'],
  ['usage'],
  ['audit list'],
  ['audit visibility'],
  ['doctor'],
  ['status'],
  ['open', 'docs', '--print'],
  ['config get', 'server.port'],
  ['config explain', 'server.port'],
  ['config set', 'server.port', '8081'],
  ['config validate'],
  ['backup', 'first.tar.gz'],
  ['backup list'],
  ['backup verify', 'first.tar.gz'],
  ['users create', '--email', 'ben@acme.example'],
  ['users unlink', 'ben@acme.example', '--yes'],
  ['people export', 'ben@acme.example', '--out', 'ben.zip'],
  ['people erase', 'ben@acme.example', '--yes'],
  ['orgs retention', '--set', 'audit=400'],
  ['keys create', '--name', 'site'],
  ['keys snippet', '1'],
  ['tokens rotate-key'],
  ['ask', 'text'],
  ['eval add', '--all', '--file', 'questions.jsonl'],
  ['eval', 'golden.jsonl', '--retrieval-only'],
  ['reindex', '--status'],
  ['doctor', '--repair'],
  ['upgrade'],
  ['upgrade', '--check'],
  ['completion', 'bash'],
  ['init', '--yes'],
];

describe('The command reference in docs/cli.md', () => {
  it('is the program’s own help', async () => {
    const hint = 'The commands have changed: write their reference again with npm run docs:cli.';
    assert.equal(await readFile(referencePath(), 'utf8'), renderCli(), hint);
    checkLinks('docs/cli.md');
  });

  describe('with its answers to --json', () => {
    let installation: TestInstallation;
    before(async () => (installation = hosted(await makeInitialized())));
    after(() => installation.remove());

    it('names exactly the members of the real answers', async () => {
      const given = await answersOf(installation.folder);
      for (const [index, [command]] of tried.entries()) {
        const shape = answers.get(command);
        assert.ok(shape !== undefined, `${command} is no command`);
        const document = JSON.parse(given[index] ?? '') as Record<string, unknown>;
        // The answer is a resource of the API, whose reference names the fields.
        if (!shape.startsWith('{')) continue;
        const documented = membersOf(shape);
        const open = /…/.test(topLevel(shape));
        const members = Object.keys(document);
        for (const name of documented.filter((one) => !one.endsWith('?'))) {
          assert.ok(
            members.includes(name),
            `${command}: there is no ${name} in ${members.join(', ')}`,
          );
        }
        const known = documented.map((name) => name.replace('?', ''));
        const undocumented = open ? [] : members.filter((name) => !known.includes(name));
        assert.deepEqual(undocumented, [], command);
      }
    });
  });
});

/** The text between the outer braces, without inner braces and their content. */
function topLevel(shape: string): string {
  let depth = 0;
  let text = '';
  for (const character of shape) {
    if ('}]'.includes(character)) depth -= 1;
    if (depth === 1 && !'{}[]'.includes(character)) text += character;
    if ('{['.includes(character)) depth += 1;
    if (depth === 0) break;
  }
  return text;
}

function membersOf(shape: string): string[] {
  return [...topLevel(shape).matchAll(/([A-Za-z][A-Za-z0-9_]*\??)(?=\s*(?:[:,]|$))/g)].map(
    ([, name = '']) => name,
  );
}

/** Runs all commands in one process, because starting one takes longer than they do. */
async function answersOf(folder: string): Promise<string[]> {
  const main = join(packageRoot(), 'dist', 'src', 'main', 'run-program.js');
  const script = `
    import { runProgram } from ${JSON.stringify(pathToFileURL(main).href)};
    const write = process.stdout.write.bind(process.stdout);
    const outputs = [];
    for (const [command, ...args] of ${JSON.stringify(tried)}) {
      let stdout = '';
      process.stdout.write = (text) => (stdout += text) !== undefined;
      await runProgram([...command.split(' '), ...args, '--json', '--quiet']);
      outputs.push(stdout);
    }
    process.exitCode = 0;
    write(JSON.stringify(outputs));
  `;
  const args = ['--input-type=module', '--no-warnings', '--eval', script];
  const env = { ...process.env, ASSISTANT_PASSWORD: 'correct horse' };
  await writeFile(join(folder, 'golden.jsonl'), '{"question": "Text?"}\n');
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  return JSON.parse(stdout) as string[];
}
