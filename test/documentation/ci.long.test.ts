import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../src/platform/package-root.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { sampleManual } from '../support/sample-manual.js';
import { readSteps, runSteps, type Step } from './page-commands.js';
import { blocksOf, checkLinks, readPage } from './read-page.js';

const file = 'docs/ci.md';
// The first line installs the packages of the build: npm only links a folder, and installs nothing in it.
const install = `npm ci --prefix ./assistant
npm install --global --ignore-scripts ./assistant`;

interface Ingested {
  files: { file: string; outcome: string }[];
}

describe('The pipeline in docs/ci.md', () => {
  const page = readPage(file);
  const steps = readSteps(page);
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let first: Ingested;

  const json = async (name: string) =>
    JSON.parse(await readFile(join(folder.path, name), 'utf8')) as Ingested;
  const outcomes = ({ files }: Ingested) => files.map(({ outcome }) => outcome).sort();
  const program = async (name: string, commands: string) => {
    const path = join(folder.path, 'bin', name);
    await writeFile(path, `#!/bin/sh\n${commands}\n`);
    await chmod(path, 0o755);
  };
  /** Runs commands with the product as it is built here, and with a password, as a CI does after the installation. */
  const prepared = (commands: string) =>
    `export PATH="$PWD/bin:$PATH" ASSISTANT_PASSWORD='correct horse'\n${commands}`;

  before(async () => {
    folder = await makeTemporaryFolder();
    for (const name of ['bin', 'ci', 'knowledge', 'manuals']) await mkdir(join(folder.path, name));
    await program('assistant', `exec node '${join(packageRoot(), 'bin', 'assistant.js')}' "$@"`);
    await program('git', 'test "$*" = "pull --quiet"');
    await writeFile(join(folder.path, 'manuals', 'pump.pdf'), await sampleManual(2));
    await writeFile(join(folder.path, 'manuals', 'broken.pdf'), 'no PDF at all');
    await writeFile(
      join(folder.path, 'knowledge', 'opening-hours.md'),
      '---\ntitle: Opening hours\nstatus: published\n---\n\nOn Saturdays we open at 10.\n',
    );
    await writeFile(join(folder.path, 'questions.jsonl'), blocksOf(page, 'jsonl').join(''));
    const script = steps.map(({ commands }) => commands.replace(install, '')).join('\n');
    await writeFile(join(folder.path, 'ci', 'knowledge.sh'), script);
    await runSteps(steps, {
      folder: folder.path,
      // The installation takes minutes and needs the network: the suite runs with the product that it would install.
      replace: (commands) => prepared(commands.replace(install, '')),
    });
    first = await json('ingest.json');
  });
  after(() => folder.remove());

  it('ingests, approves, verifies and exports knowledge, and reports an invalid file', async () => {
    assert.ok(steps.length >= 6, String(steps.length));
    assert.ok(steps[0]?.commands.startsWith(`${install}\n`));
    assert.deepEqual(outcomes(first), ['failed', 'ingested']);
    const exported = await readdir(join(folder.path, 'export'));
    assert.ok(exported.length > 2, exported.join());
    assert.ok(exported.some((name) => /^opening-hours\.[0-9a-f-]{36}\.md$/.test(name)));
    const results = await readFile(join(folder.path, 'results.jsonl'), 'utf8');
    assert.equal(results.trim().split('\n').length, 2);
  });

  it('does only the remaining work when it runs again, with the line for one’s own machine', async () => {
    const exported = await readdir(join(folder.path, 'export'));
    const [commands = ''] = blocksOf(page, 'sh');
    const step: Step = { commands, answer: undefined, line: 1 };
    const [printed = ''] = await runSteps([step], {
      folder: folder.path,
      replace: (line) => prepared(line.replace('/srv/knowledge', folder.path)),
    });
    assert.deepEqual(outcomes(await json('ingest.json')), ['failed', 'unchanged']);
    assert.match(printed, /0 created, 0 updated, 1 unchanged, 0 failed/);
    assert.deepEqual(await readdir(join(folder.path, 'export')), exported);
  });

  it('is the only step of the CI files', () => {
    const [github, gitlab] = blocksOf(page, 'yaml').map((block) => parse(block) as unknown);
    const line = 'bash -euo pipefail ci/knowledge.sh';
    const { jobs } = github as { jobs: { knowledge: { steps: { run?: string }[] } } };
    const runs = jobs.knowledge.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    assert.deepEqual(runs, [line]);
    assert.deepEqual((gitlab as { knowledge: { script: string[] } }).knowledge.script, [line]);
    assert.ok(blocksOf(page, 'sh').every((block) => block.includes(line)));
    checkLinks(file);
  });
});
