import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/platform/package-root.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

const root = packageRoot();

/** Starts Node as a user does, without the options of the tests or of a coverage run. */
function node(args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { NODE_V8_COVERAGE: _, NODE_OPTIONS: __, ...env } = process.env;
  return spawnSync(process.execPath, args, { encoding: 'utf8', env, timeout: 60_000 });
}

/** An installed program, without its compiled modules. */
async function installed(): ReturnType<typeof makeTemporaryFolder> {
  const folder = await makeTemporaryFolder();
  for (const part of ['bin', 'package.json', 'dist/cli/program.cjs']) {
    await cp(join(root, part), join(folder.path, part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'), 'junction');
  return folder;
}

describe('The start of a command with unusable compiled code', () => {
  it('ignores code that is damaged or belongs to another Node or file, because V8 would crash', async () => {
    const temporary = await installed();
    const folder = temporary.path;
    const place = join(folder, 'dist/cli/program.cache');
    const cache = await readFile(join(root, 'dist/cli/program.cache'));
    const loader = pathToFileURL(join(folder, 'bin/load-program.js')).href;
    const load = (before = '') => {
      const script = `${before}
        const { loadBundle } = await import(${JSON.stringify(loader)});
        const { loaded, program } = loadBundle();
        console.log(loaded.program.script.cachedDataRejected, typeof program.runProgram);`;
      const { status, stdout, stderr } = node(['--input-type=module', '-e', script]);
      assert.equal(status, 0, stderr);
      return stdout;
    };
    try {
      await writeFile(place, cache);
      assert.equal(load(), 'false function\n');
      const other = `Object.defineProperty(process, 'versions', {
        value: { ...process.versions, node: '20.17.0', v8: '11.3.244.8-node.23' } });`;
      assert.equal(load(other), 'undefined function\n');

      for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
        const damaged = Buffer.from(cache);
        damaged
          .fill(0xff, Math.floor(share * cache.length))
          .set(cache.subarray(-4096), cache.length - 4096);
        await writeFile(place, damaged);
        assert.equal(load(), 'undefined function\n', `damaged from ${share} on`);
      }

      await writeFile(place, cache);
      const bundle = join(folder, 'dist/cli/program.cjs');
      const text = await readFile(bundle, 'latin1');
      await writeFile(bundle, text.replace('Name a command.', 'Name 1 command.'), 'latin1');
      assert.equal(load(), 'undefined function\n');
    } finally {
      await temporary.remove();
    }
  });
});
