import assert from 'node:assert/strict';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { installProduct, measureFolder, packProduct, type Packed } from './install-package.js';
import { walkThrough } from './walk-through.js';

const megabyte = 1_000_000;

describe('The package, installed into an empty folder', function () {
  // Without a prebuilt sqlite3, npm compiles it.
  this.timeout(1_200_000);
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let packed: Packed;
  let program: string;

  before(async () => {
    folder = await makeTemporaryFolder();
    packed = await packProduct(folder.path);
    program = await installProduct(folder.path, process.execPath, packed);
  });
  after(() => folder.remove());

  it('contains the files of production, without sources, modules, tests and maps', () => {
    const strange = packed.files.filter((path) => /\.(ts|map)$|^(dist\/)?(src|test)\//.test(path));
    assert.deepEqual(
      strange.filter((path) => !/\.d\.ts$|^templates\//.test(path)),
      [],
    );
    const needed = ['program.cjs', 'later.cjs', 'LICENCES.txt'].map((name) => `dist/cli/${name}`);
    for (const file of [...needed, 'config.example.yaml']) {
      assert.ok(packed.files.includes(file), file);
    }
  });

  it('has at most 70 MB and 2,000 files, including its dependencies', async () => {
    const { bytes, files } = await measureFolder(join(folder.path, 'lib'));
    assert.ok(bytes < 70 * megabyte, `${Math.round(bytes / megabyte)} MB`);
    assert.ok(files < 2000, `${files} files`);
  });

  walkThrough(() => [process.execPath, program]);
});
