import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTemporaryFolder } from './temporary-folder.js';

const limits = fileURLToPath(new URL('time-limits.js', import.meta.url));
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

describe('A test run', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;

  before(async () => {
    folder = await makeTemporaryFolder();
  });
  after(() => folder.remove());

  /** Runs test files with these contents in mocha's workers, each file for at most half of `minutes`. */
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

  it('ends if a file hangs, together with the processes of that file, and names the file', async () => {
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

  it('fails if its workers are killed', async () => {
    const text = `describe('killed', () => it('kills its worker', () => process.kill(process.pid, 'SIGKILL')));`;
    const { failed } = await run({ 'one.cjs': text, 'two.cjs': text, 'three.cjs': text }, 0.5);
    assert.ok(failed);
  });

  it('stops a file after its first timeout, and reports that at once', async () => {
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
