import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTemporaryFolder } from './temporary-folder.js';

const limits = fileURLToPath(new URL('time-limits.js', import.meta.url));
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

describe('A run of the tests', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;

  before(async () => {
    folder = await makeTemporaryFolder();
  });
  after(() => folder.remove());

  /** Runs test files of these texts in mocha's workers, each file for half of `minutes` at most. */
  const run = async (texts: Record<string, string>, minutes: number) => {
    const files = Object.keys(texts).map((name) => join(folder.path, name));
    for (const [name, text] of Object.entries(texts)) {
      await writeFile(join(folder.path, name), text);
    }
    const args = [mocha, '--no-config', '--parallel', '--jobs', '2', '--require', limits, ...files];
    const env = { ...process.env, TEST_MINUTES: String(minutes) };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    return { failed: status !== 0, stdout, stderr };
  };

  it('ends with the file that hangs, and the processes that it started, and names it', async () => {
    const child = `require('node:child_process').spawn('sleep', ['1000'], { stdio: 'inherit' });`;
    const { failed, stderr } = await run(
      {
        'busy.cjs': `describe('busy', () => it('never ends', () => { ${child} for (;;); }));`,
        'waiting.cjs': `describe('waiting', () => { before(() => new Promise(() => setInterval(() => {}, 1000))).timeout(0); it('never begins', () => {}); });`,
      },
      0.1,
    );
    assert.ok(failed);
    assert.match(stderr, /busy\.cjs .*never ends|waiting\.cjs .*what stands before its tests/);
  });

  it('fails where its workers are killed', async () => {
    const text = `describe('killed', () => it('kills its worker', () => process.kill(process.pid, 'SIGKILL')));`;
    const { failed } = await run({ 'one.cjs': text, 'two.cjs': text, 'three.cjs': text }, 0.5);
    assert.ok(failed);
  });

  it('gives a file up after its first test that timed out, and says so at once', async () => {
    const { failed, stdout, stderr } = await run(
      {
        'slow.cjs': `describe('slow', () => {
          it('waits for what never comes', () => new Promise(() => setTimeout(() => {}, 500))).timeout(50);
          it('would wait as long', () => {});
        });`,
      },
      30,
    );
    assert.ok(failed);
    assert.match(stderr, /slow\.cjs failed in: waits for what never comes/);
    assert.match(stdout, /This file is given up after: waits for what never comes/);
    assert.doesNotMatch(stdout, /✔ would wait as long/);
  });
});
